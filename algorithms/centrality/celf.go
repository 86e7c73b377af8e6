package centrality

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/random"
)

// CELF finds vertices from which what spreads by chance comes to most others (influence maximization). An edge lets
// through with the same probability each, in so many worlds that are drawn:
//
//	σ(S) = mean over worlds of | S, and vertices to which edges that let through lead from there |  (independent cascade)
//	s(i) = argmax σ({s(1) … s(i-1), v}) - σ({s(1) … s(i-1)}) over v, of several the smallest id;   i = 1 … seedSetSize
//	spread(s(i)) = by how much it makes σ larger;   rank(s(i)) = i;   of all others: 0, and empty
//
// σ is submodular in each world, so that no other set of so many vertices has more than 1/(1-1/e) = 1.58 times as much
// there, and what a vertex gained once is a bound of what it gains later: only those are looked at again whose bound is
// the largest. Draws depend on the seed, on ids and on which of parallel edges it is. The edges of an undirected graph
// are drawn either way. O(w·Σ r(v)) for w worlds, where r(v) are the edges of what v comes to, and less for each vertex
// from then on. Kempe, Kleinberg, Tardos, "Maximizing the spread of influence through a social network", KDD 2003;
// Leskovec et al., "Cost-effective outbreak detection in networks", KDD 2007. Parameters as in Neo4j GDS.
var CELF = &algorithms.Algorithm{
	Name:    "celf",
	Aliases: []string{"influence-maximization"},
	Summary: "the vertices from which what spreads by chance comes to most others",
	Source:  "Kempe, Kleinberg, Tardos 2003; Leskovec et al. 2007",
	Params: []algorithms.Param{
		{Name: seedSetSize, Type: algorithms.ParamInt, Default: "10", Min: 1, Max: 1 << 20, Doc: "how many vertices to find"},
		{Name: monteCarloSimulations, Type: algorithms.ParamInt, Default: "100", Min: 1, Max: 1 << 20,
			Doc: "in how many worlds it spreads"},
		{Name: propagationProbability, Type: algorithms.ParamFloat, Default: "0.1", Min: 0, Max: 1,
			Doc: "how likely an edge lets it through"},
		{Name: "seed", Type: algorithms.ParamInt, Default: "1", Doc: "draws other worlds"},
	},
	Result:    celfColumns(),
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.NoEdgeColumns},
	Oracle:    celfOracle,
	Verify:    answer.AsOracle(celfOracle, celfColumns()...), // there is one result
	Measures: func(result []algorithms.Values) []algorithms.Measure {
		total := 0.0
		for _, spread := range result[0].Floats {
			total += spread
		}
		return []algorithms.Measure{{Name: "total spread", Value: total}}
	},
}

const (
	seedSetSize            = "seedSetSize"
	monteCarloSimulations  = "monteCarloSimulations"
	propagationProbability = "propagationProbability"
)

func celfColumns() []algorithms.Column {
	return []algorithms.Column{{Name: "spread", Type: algorithms.Float}, {Name: "rank", Type: algorithms.Int}}
}

// Cascade is how something spreads.
type Cascade struct {
	Seeds, Worlds int
	seed          int64
	chance        float64
}

// NewCascade is that of arguments on so many vertices.
func NewCascade(args algorithms.Args, vertices int) Cascade {
	return Cascade{Seeds: int(min(args.Ints[seedSetSize], int64(vertices))), Worlds: int(args.Ints[monteCarloSimulations]),
		seed: args.Ints["seed"], chance: args.Floats[propagationProbability]}
}

// Draws are those of the edges from a vertex to another in a world, one for each.
func (c Cascade) Draws(world int, from, to int64) random.Draws {
	return random.New(c.seed, int64(world), from, to)
}

// Passes tells whether the next edge lets through.
func (c Cascade) Passes(draws *random.Draws) bool { return draws.Share() < c.chance }

// celfOracle looks at every vertex in every step.
func celfOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	c := NewCascade(args, g.N())
	rank, spread := make([]int64, g.N()), make([]float64, g.N())
	for v := range rank {
		rank[v] = algorithms.Unreached
	}
	reached := make([]map[uint32]bool, c.Worlds)
	for world := range reached {
		reached[world] = map[uint32]bool{}
	}
	for i := range c.Seeds {
		gains := make([]int, g.N())
		for world := range reached {
			open := c.open(g, world)
			for v := range gains {
				gains[v] += len(spreads(open, uint32(v), reached[world]))
			}
		}
		best := -1
		for v, gain := range gains {
			if rank[v] == algorithms.Unreached && (best < 0 || gain > gains[best] || gain == gains[best] &&
				g.IDs[v] < g.IDs[best]) {
				best = v
			}
		}
		rank[best], spread[best] = int64(i+1), float64(gains[best])/float64(c.Worlds)
		for world := range reached {
			for _, v := range spreads(c.open(g, world), uint32(best), reached[world]) {
				reached[world][v] = true
			}
		}
	}
	result := []algorithms.Values{algorithms.NewValues(celfColumns()[0], g.N()),
		algorithms.NewValues(celfColumns()[1], g.N())}
	result[0].Floats, result[1].Ints = spread, rank
	return result, nil
}

// open are where edges of each vertex lead to that let through in a world.
func (c Cascade) open(g *algorithms.Graph, world int) [][]uint32 {
	open := make([][]uint32, g.N())
	for v := range open {
		draws := map[uint32]*random.Draws{}
		for _, u := range g.Out.Of(v) {
			if draws[u] == nil {
				of := c.Draws(world, g.IDs[v], g.IDs[u])
				draws[u] = &of
			}
			if c.Passes(draws[u]) {
				open[v] = append(open[v], u)
			}
		}
	}
	return open
}

// spreads are the vertices that v comes to, itself included, and that have not been reached.
func spreads(open [][]uint32, v uint32, reached map[uint32]bool) (all []uint32) {
	seen := map[uint32]bool{v: true}
	for queue := []uint32{v}; len(queue) > 0; queue = queue[1:] {
		if !reached[queue[0]] {
			all = append(all, queue[0])
		}
		for _, u := range open[queue[0]] {
			if !seen[u] {
				seen[u] = true
				queue = append(queue, u)
			}
		}
	}
	return all
}
