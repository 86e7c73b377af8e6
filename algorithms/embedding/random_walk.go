package embedding

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/neighborhood"
	"github.com/penstock-db/penstock/algorithms/internal/param"
	"github.com/penstock-db/penstock/algorithms/random"
)

// RandomWalk goes from vertex to vertex by chance, several times from each source. From v, with t before it, the next
// vertex x is one that an edge leads to, with probability in proportion to
//
//	w(v,x) · α(t,x);   α(t,x) = 1/returnFactor, if x = t;   1, if an edge leads from t to x;   1/inOutFactor, else
//
// and in proportion to w(v,x) alone at the source. A walk ends after walkLength vertices, or where no edge of a weight
// above 0 leads on; where none leads away from a source, it has no walks. Parallel edges count each by itself.
//
// A step draws x by weight, and keeps it with probability α/max α, so that it takes no more than a look whether t has
// an edge to x (Yang et al., "KnightKing: a fast distributed graph random walk engine", SOSP 2019, section 4); after
// WalkTries rejections it goes through the whole list, which comes to the same distribution. Draws depend on the seed,
// on ids and on the number of the walk: neither the order of storage nor the number of threads matters.
// Grover and Leskovec, "node2vec: scalable feature learning for networks", KDD 2016, section 3.2; parameters as in
// Neo4j GDS.
var RandomWalk = &algorithms.Algorithm{
	Name:    "random-walk",
	Summary: "random walks, of second order, from every vertex or some",
	Source:  "Grover and Leskovec 2016, section 3.2; Yang et al. 2019, section 4",
	Params: append([]algorithms.Param{
		{Name: "sourceNodes", Type: algorithms.ParamVertices, Optional: true,
			Doc: "where walks begin; without it, at every vertex"}},
		walkParams()...),
	Result:    walkColumns(algorithms.Args{}),
	Shape:     algorithms.OfPaths,
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.EdgeColumns},
	Oracle:    randomWalkOracle,
	Verify:    verifyRandomWalk,
	Figures: func(result []algorithms.Values) []algorithms.Figure {
		walks, vertices := int64(0), int64(0)
		for i, id := range result[0].Ints {
			if id != algorithms.Unreached {
				vertices++
				if i%max(1, result[0].Path) == 0 {
					walks++
				}
			}
		}
		return []algorithms.Figure{{Name: "walks", Value: walks}, {Name: "vertices on them", Value: vertices}}
	},
}

const walksPerNode, walkLength = "walksPerNode", "walkLength"

// maxWalk bounds the vertices of a walk.
const maxWalk = 10_000

// walkParams are what walks go by.
func walkParams() []algorithms.Param {
	factor := func(name, doc string) algorithms.Param {
		return algorithms.Param{Name: name, Type: algorithms.ParamFloat, Default: "1", Min: 1e-9, Max: 1e9, Doc: doc}
	}
	return []algorithms.Param{
		{Name: walksPerNode, Type: algorithms.ParamInt, Default: "10", Min: 1, Max: maxWalk, Doc: "walks from each vertex"},
		{Name: walkLength, Type: algorithms.ParamInt, Default: "80", Min: 1, Max: maxWalk,
			Doc: "vertices of a walk, at most"},
		factor("inOutFactor", "above 1, walks stay near the vertex before; below 1, they go away from it (q of the paper)"),
		factor("returnFactor", "above 1, walks seldom go straight back; below 1, they often do (p of the paper)"),
		param.Orientation(
			"which edges walks follow: natural, along those out of a vertex; reverse, against those into it; undirected, both"),
		param.OwnWeight("what the chance of an edge is in proportion to"),
		{Name: "seed", Type: algorithms.ParamInt, Default: "1", Doc: "draws other walks"},
	}
}

func walkColumns(args algorithms.Args) []algorithms.Column {
	return []algorithms.Column{{Name: "walk", Type: algorithms.VertexID, Width: walksPerNode, Steps: walkLength,
		Each: int(args.Ints[walksPerNode] * args.Ints[walkLength]), Path: int(args.Ints[walkLength])}}
}

// WalkTries is how often a step of a walk draws before it goes through the whole list.
const WalkTries = 32

// WalkRule says what of the chance of an edge is left by where the walk was before: α, by the largest that there is.
type WalkRule struct{ Return, Near, Far float64 }

// NewWalkRule is that of arguments.
func NewWalkRule(args algorithms.Args) WalkRule {
	back, away := 1/args.Floats["returnFactor"], 1/args.Floats["inOutFactor"]
	most := max(back, 1, away)
	return WalkRule{Return: back / most, Near: 1 / most, Far: away / most}
}

// First tells whether nothing depends on where the walk was before.
func (r WalkRule) First() bool { return r.Return == 1 && r.Near == 1 && r.Far == 1 }

// WalkDraws are those of a walk from a vertex.
func WalkDraws(args algorithms.Args, id int64, number int) random.Draws {
	return random.New(args.Ints["seed"], id, int64(number))
}

// WalkWeight fails for what no walk can go by.
func WalkWeight(from, to int64, weight float64) error {
	if weight >= 0 && !math.IsInf(weight, 1) {
		return nil
	}
	return fmt.Errorf("the edge from %d to %d has weight %v: walks need weights that are finite, and 0 or more", from, to,
		weight)
}

// WalkWeights fails where the weights of the edges from a vertex add up to more than a number can be.
func WalkWeights(from int64, total float64) error {
	if !math.IsInf(total, 1) {
		return nil
	}
	return fmt.Errorf("the weights of the edges from %d add up to more than a number can be", from)
}

// footpaths are what the oracle goes along: vertices are numbered by ascending ids, and lists are ascending.
type footpaths struct {
	places []int // of each vertex in the graph
	ids    []int64
	lists  [][]footpath
	rule   WalkRule
	args   algorithms.Args
}

type footpath struct {
	to     uint32
	weight float64
}

func newFootpaths(g *algorithms.Graph, args algorithms.Args) (*footpaths, error) {
	f := &footpaths{places: make([]int, g.N()), rule: NewWalkRule(args), args: args}
	for v := range f.places {
		f.places[v] = v
	}
	slices.SortFunc(f.places, func(a, b int) int { return cmp.Compare(g.IDs[a], g.IDs[b]) })
	number := make([]uint32, g.N())
	for v, place := range f.places {
		number[place] = uint32(v)
		f.ids = append(f.ids, g.IDs[place])
	}
	for v, place := range f.places {
		var list []footpath
		total := 0.0
		for _, side := range neighborhood.Sides(g, args.Strings["orientation"]) {
			weights := side.Weights(args.Strings["weight"])
			for i := side.Offsets[place]; i < side.Offsets[place+1]; i++ {
				to := number[side.Neighbors[i]]
				if err := WalkWeight(f.ids[v], f.ids[to], weights[i]); err != nil {
					return nil, err
				}
				list = append(list, footpath{to, weights[i]})
				total += weights[i]
			}
		}
		if err := WalkWeights(f.ids[v], total); err != nil {
			return nil, err
		}
		slices.SortFunc(list, func(a, b footpath) int {
			return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.weight, b.weight))
		})
		f.lists = append(f.lists, list)
	}
	return f, nil
}

// leads tells whether an edge leads from v to x.
func (f *footpaths) leads(v, x uint32) bool {
	_, found := slices.BinarySearchFunc(f.lists[v], x, func(e footpath, x uint32) int { return cmp.Compare(e.to, x) })
	return found
}

// alpha is what is left of the chance of an edge to x.
func (f *footpaths) alpha(before, x uint32) float64 {
	switch {
	case x == before:
		return f.rule.Return
	case f.leads(before, x):
		return f.rule.Near
	}
	return f.rule.Far
}

// byChance is the first edge up to which chances add up to more than this share of all.
func byChance(list []footpath, share float64, chance func(footpath) float64) uint32 {
	sums := make([]float64, len(list))
	sum := 0.0
	for i, e := range list {
		sum += chance(e)
		sums[i] = sum
	}
	at := sort.Search(len(sums), func(i int) bool { return sums[i] > share*sum })
	return list[min(at, len(list)-1)].to
}

// walk is one walk from v; none where nothing leads on.
func (f *footpaths) walk(v, number int) (walk []uint32) {
	draws := WalkDraws(f.args, f.ids[v], number)
	at, weighted := uint32(v), f.args.Strings["weight"] != ""
	for walk = []uint32{at}; len(walk) < int(f.args.Ints[walkLength]); walk = append(walk, at) {
		list, total := f.lists[at], 0.0
		for _, e := range list {
			total += e.weight
		}
		if total == 0 {
			break
		}
		draw := func() uint32 {
			if !weighted {
				return list[draws.Below(len(list))].to
			}
			return byChance(list, draws.Share(), func(e footpath) float64 { return e.weight })
		}
		if len(walk) == 1 || f.rule.First() {
			at = draw()
			continue
		}
		at = f.second(&draws, list, walk[len(walk)-2], draw)
	}
	return walk
}

// second is a step of second order.
func (f *footpaths) second(draws *random.Draws, list []footpath, before uint32, draw func() uint32) uint32 {
	for range WalkTries {
		if x := draw(); draws.Share() < f.alpha(before, x) {
			return x
		}
	}
	return byChance(list, draws.Share(), func(e footpath) float64 { return e.weight * f.alpha(before, e.to) })
}

// begins tells whether an edge leads from v, so that there are walks from it.
func (f *footpaths) begins(v int) bool {
	return slices.ContainsFunc(f.lists[v], func(e footpath) bool { return e.weight > 0 })
}

func randomWalkOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	f, err := newFootpaths(g, args)
	if err != nil {
		return nil, err
	}
	column := walkColumns(args)[0]
	result := algorithms.NewValues(column, g.N())
	for i := range result.Ints {
		result.Ints[i] = algorithms.Unreached
	}
	sources, some := args.Vertices["sourceNodes"]
	for v, place := range f.places {
		if !f.begins(v) || some && !slices.Contains(sources, f.ids[v]) {
			continue
		}
		for k := range int(args.Ints[walksPerNode]) {
			for i, x := range f.walk(v, k) {
				result.Ints[place*column.Per()+k*column.Path+i] = f.ids[x]
			}
		}
	}
	return []algorithms.Values{result}, nil
}

// verifyRandomWalk follows each walk along edges, and then compares it with the draws.
func verifyRandomWalk(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	if err := answer.Shaped(g, result, walkColumns(args)...); err != nil {
		return err
	}
	f, err := newFootpaths(g, args)
	if err != nil {
		return err
	}
	column := walkColumns(args)[0]
	for v, id := range g.IDs {
		all := result[0].Ints[v*column.Per():][:column.Per()]
		for k := range all {
			if k%column.Path > 0 && all[k] != algorithms.Unreached && !f.follows(all[k-1], all[k]) || k%column.Path == 0 &&
				all[k] != id &&
				all[k] != algorithms.Unreached {
				return answer.WrongAt(g, v, "vertex %d of its walks is %d, which no edge leads to from the one before", k, all[k])
			}
		}
	}
	want, err := randomWalkOracle(g, args)
	if err != nil {
		return err
	}
	for i, x := range want[0].Ints {
		if y := result[0].Ints[i]; y != x {
			return answer.WrongAt(g, i/column.Per(), "vertex %d of its walks is %d, not %d (%d: none)", i%column.Per(), y, x,
				algorithms.Unreached)
		}
	}
	return nil
}

// follows tells whether an edge leads from one id to another.
func (f *footpaths) follows(from, to int64) bool {
	v, known := slices.BinarySearch(f.ids, from)
	x, there := slices.BinarySearch(f.ids, to)
	return known && there && f.leads(uint32(v), uint32(x))
}
