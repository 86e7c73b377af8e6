package paths

import (
	"cmp"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/param"
	"github.com/penstock-db/penstock/algorithms/internal/position"
)

// SpanningForest joins the vertices of each connected component by a tree of the least weight; or the largest.
//
//	F = argmin { Σ_{e∈F} w(e) : F ⊆ E joins what E joins };   parent(v) = next vertex on the way in F from v to the root
//
// The root is the vertex with the smallest id of its component: its parent is empty, its weight 0; weight(v) is that of
// the edge to the parent. Direction and loops do not count. Edges of the same weight are taken by ids: the smaller of
// both ends, then the larger, so that the forest is unique. O(m log n). Neo4j GDS gives the tree of a source alone.
// Borůvka, "O jistém problému minimálním", 1926; Kruskal, "On the shortest spanning subtree of a graph", 1956.
var SpanningForest = &algorithms.Algorithm{
	Name:    "spanning-forest",
	Aliases: []string{"minimum-spanning-forest", "spanning-tree"},
	Summary: "minimum spanning forest: the lightest edges that join what edges join",
	Source:  "Borůvka 1926; Kruskal 1956",
	Params: []algorithms.Param{param.Weight("how heavy an edge is"), {Name: "objective", Type: algorithms.ParamChoice,
		Choices: []string{"minimum", "maximum"}, Default: "minimum", Doc: "whether edges should be light or heavy"}},
	Result:    forestColumns(),
	Yield:     "parentId",
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.EdgeColumns},
	Oracle:    kruskal,
	Verify:    verifySpanningForest,
	Figures: func(result []algorithms.Values) []algorithms.Figure {
		trees := int64(0)
		for _, parent := range result[0].Ints {
			if parent == algorithms.Unreached {
				trees++
			}
		}
		return []algorithms.Figure{{Name: "trees", Value: trees}}
	},
}

func forestColumns() []algorithms.Column {
	return []algorithms.Column{{Name: "parent", Type: algorithms.VertexID}, {Name: "weight", Type: algorithms.Float}}
}

// link is an edge as a spanning forest sees it.
type link struct {
	v, u   int
	weight float64
}

// compare orders edges as a forest takes them.
func (l link) compare(g *algorithms.Graph, args algorithms.Args, m link) int {
	order := cmp.Compare(l.weight, m.weight)
	if args.Strings["objective"] == "maximum" {
		order = -order
	}
	return cmp.Or(order, cmp.Compare(min(g.IDs[l.v], g.IDs[l.u]), min(g.IDs[m.v], g.IDs[m.u])),
		cmp.Compare(max(g.IDs[l.v], g.IDs[l.u]), max(g.IDs[m.v], g.IDs[m.u])))
}

// links are the edges of a graph but loops, those of an undirected one both ways. It fails where a weight is no number.
func links(g *algorithms.Graph, args algorithms.Args) (all []link, err error) {
	weights := g.Out.Weights(args.Strings["weight"])
	for v := range g.N() {
		for k, u := range g.Out.Of(v) {
			w := weights[g.Out.Offsets[v]+k]
			if w != w {
				return nil, answer.WrongAt(g, v, "an edge of it weighs %v; a spanning forest needs weights that are numbers", w)
			}
			if int(u) != v {
				all = append(all, link{v, int(u), w})
			}
		}
	}
	return all, nil
}

// kruskal takes edges in order, each if it joins two trees.
func kruskal(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	all, err := links(g, args)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b link) int { return a.compare(g, args, b) })
	tree, forest := make([]int, g.N()), make([][]link, g.N())
	for v := range tree {
		tree[v] = v
	}
	for _, l := range all {
		from, to := tree[l.v], tree[l.u]
		if from == to {
			continue
		}
		for v := range tree {
			if tree[v] == from {
				tree[v] = to
			}
		}
		forest[l.v] = append(forest[l.v], l)
		forest[l.u] = append(forest[l.u], link{l.u, l.v, l.weight})
	}
	return rooted(g, forest), nil
}

// rooted has the edges of a forest lead to the smallest id of each tree.
func rooted(g *algorithms.Graph, forest [][]link) []algorithms.Values {
	result := []algorithms.Values{algorithms.NewValues(forestColumns()[0], g.N()),
		algorithms.NewValues(forestColumns()[1], g.N())}
	seen := make([]bool, g.N())
	for _, root := range position.Ascending(g.IDs) {
		if seen[root] {
			continue
		}
		seen[root], result[0].Ints[root] = true, algorithms.Unreached
		for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
			for _, l := range forest[queue[0]] {
				if !seen[l.u] {
					seen[l.u] = true
					result[0].Ints[l.u], result[1].Floats[l.u] = g.IDs[l.v], l.weight
					queue = append(queue, l.u)
				}
			}
		}
	}
	return result
}

// verifySpanningForest checks that parents are joined by edges of these weights and end at roots, whose ids are the
// smallest; and that no edge of the graph joins two trees, or comes before one on the way between its ends in the
// forest. The forest is the one and only then. (Tarjan, "Data structures and network algorithms", 1983, section 6.1.)
func verifySpanningForest(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	if err := answer.Shaped(g, result, forestColumns()...); err != nil {
		return err
	}
	all, err := links(g, args)
	if err != nil {
		return err
	}
	up, err := parents(g, all, result)
	if err != nil {
		return err
	}
	depth, err := depths(g, up)
	if err != nil {
		return err
	}
	for _, l := range all {
		for v, u := l.v, l.u; v != u; {
			if depth[v] < depth[u] {
				v, u = u, v
			}
			if up[v] < 0 {
				return answer.WrongAt(g, l.v, "an edge leads to vertex %d of another tree", g.IDs[l.u])
			}
			if l.compare(g, args, link{v, up[v], result[1].Floats[v]}) < 0 {
				return answer.WrongAt(g, v, "the edge to its parent comes after that between vertices %d and %d", g.IDs[l.v],
					g.IDs[l.u])
			}
			v = up[v]
		}
	}
	return nil
}

// parents are their positions, -1 of roots, each joined by an edge of the right weight.
func parents(g *algorithms.Graph, all []link, result []algorithms.Values) ([]int, error) {
	edges, up := map[link]bool{}, make([]int, g.N())
	for _, l := range all {
		edges[l], edges[link{l.u, l.v, l.weight}] = true, true
	}
	for v, id := range result[0].Ints {
		weight := result[1].Floats[v]
		up[v] = g.Vertex(id)
		root := id == algorithms.Unreached && weight == 0
		if up[v] < 0 && !root || up[v] >= 0 && !edges[link{v, up[v], weight}] {
			return nil, answer.WrongAt(g, v, "no edge of weight %v joins it with a parent %d", weight, id)
		}
	}
	return up, nil
}

// depths is how far each vertex is from its root, whose id is the smallest.
func depths(g *algorithms.Graph, up []int) ([]int, error) {
	depth := make([]int, len(up))
	for v := range up {
		root := v
		for ; up[root] >= 0; root = up[root] {
			if depth[v]++; depth[v] > len(up) {
				return nil, answer.WrongAt(g, v, "its parents go in a circle")
			}
		}
		if g.IDs[root] > g.IDs[v] {
			return nil, answer.WrongAt(g, v, "its root is %d, whose id is not the smallest", g.IDs[root])
		}
	}
	return depth, nil
}
