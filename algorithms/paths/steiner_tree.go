package paths

import (
	"cmp"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/neighborhood"
	"github.com/penstock-db/penstock/algorithms/internal/param"
	"github.com/penstock-db/penstock/algorithms/internal/position"
)

// SteinerTree joins the source with the targets by a tree that is at most twice as heavy as the lightest.
//
//	near(v) = the terminal nearest to v;   d(v) = how far it is
//	T = the paths from both ends of F to their nearest terminals, and F: the lightest forest over terminals of edges
//	    {v,u} that lead from near(v) to near(u), each as heavy as d(v) + w(v,u) + d(u)
//	parent(v) = next vertex on the way in T from v to the source, weight(v) that of the edge, member(v) = v ∈ T
//
// Terminals are source and targets; those that no path joins with the source are left out, and T weighs at most
// 2·(1 - 1/k) of the lightest tree that joins k others. Where all vertices are targets it is the lightest spanning
// tree. Direction and loops do not count; of the same weight is taken what has the smaller id, so that there is one
// result. Weights must be finite and not below 0. O(m·log n). Neo4j GDS follows directions, by another heuristic. Mehlhorn, "A
// faster approximation algorithm for the Steiner problem in graphs", 1988.
var SteinerTree = &algorithms.Algorithm{
	Name:    "steiner-tree",
	Summary: "light tree that joins a vertex with others, at most twice as heavy as the lightest",
	Source:  "Mehlhorn 1988",
	Params: []algorithms.Param{param.Source, {Name: "targets", Type: algorithms.ParamVertices, Optional: true,
		Doc: "the vertices to join with it; without it, all"}, param.Weight("how heavy an edge is")},
	Result:    steinerColumns(),
	Yield:     "parentId",
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.EdgeColumns},
	Oracle:    mehlhorn,
	Verify:    verifySteinerTree,
	Figures: func(result []algorithms.Values) []algorithms.Figure {
		count := int64(0)
		for _, member := range result[2].Bools {
			if member {
				count++
			}
		}
		return []algorithms.Figure{{Name: "vertices of the tree", Value: count}}
	},
}

func steinerColumns() []algorithms.Column {
	return []algorithms.Column{{Name: "parent", Type: algorithms.VertexID}, {Name: "weight", Type: algorithms.Float},
		{Name: "member", Type: algorithms.Bool}}
}

// terminals marks source and targets.
func terminals(g *algorithms.Graph, args algorithms.Args) (source int, marked []bool, err error) {
	if source, err = argument.Start(g, args); err != nil {
		return 0, nil, err
	}
	marked = make([]bool, g.N())
	named := args.Vertices["targets"]
	if named == nil {
		named = g.IDs
	}
	targets, err := position.Of(g.IDs, named)
	for _, v := range append(targets, source) {
		marked[v] = true
	}
	return source, marked, err
}

// region is what a vertex knows of its nearest terminal.
type region struct {
	distance float64
	base     int // the terminal; -1: none reaches it
	hops     int // edges on the way
	up       int // the next vertex on the way, -1 at the terminal
	weight   float64
}

// compare orders what may be known of one vertex: the nearest terminal is best.
func (r region) compare(g *algorithms.Graph, s region) int {
	id := func(v int) int64 {
		if v < 0 {
			return algorithms.Unreached
		}
		return g.IDs[v]
	}
	return cmp.Or(cmp.Compare(r.distance, s.distance), cmp.Compare(id(r.base), id(s.base)), cmp.Compare(r.hops, s.hops),
		cmp.Compare(id(r.up), id(s.up)), cmp.Compare(r.weight, s.weight))
}

// regions lets ways have one edge more until none is better (Bellman 1958).
func regions(g *algorithms.Graph, all []link, marked []bool) []region {
	best := make([]region, g.N())
	for v := range best {
		if best[v] = (region{distance: math.Inf(1), base: -1, up: -1}); marked[v] {
			best[v] = region{base: v, up: -1}
		}
	}
	for {
		longer := slices.Clone(best)
		for _, l := range all {
			from := best[l.v]
			next := region{from.distance + l.weight, from.base, from.hops + 1, l.v, l.weight}
			if from.base >= 0 && !marked[l.u] && next.compare(g, longer[l.u]) < 0 {
				longer[l.u] = next
			}
		}
		if slices.Equal(longer, best) {
			return best
		}
		best = longer
	}
}

// mehlhorn takes the edges between regions in order, each if it joins two trees, and the ways from their ends.
func mehlhorn(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	source, marked, err := terminals(g, args)
	if err != nil {
		return nil, err
	}
	all, err := lightLinks(g, args)
	if err != nil {
		return nil, err
	}
	near, tree, forest := regions(g, all, marked), make([]int, g.N()), make([][]link, g.N())
	for v := range tree {
		tree[v] = v
	}
	join := func(l link) {
		forest[l.v], forest[l.u] = append(forest[l.v], l), append(forest[l.u], link{l.u, l.v, l.weight})
	}
	taken := make([]bool, g.N())
	for _, l := range between(g, all, near) {
		from, to := tree[near[l.v].base], tree[near[l.u].base]
		if from == to {
			continue
		}
		for v := range tree {
			if tree[v] == from {
				tree[v] = to
			}
		}
		join(l)
		for _, v := range []int{l.v, l.u} {
			for ; near[v].up >= 0 && !taken[v]; v = near[v].up {
				taken[v] = true
				join(link{v, near[v].up, near[v].weight})
			}
		}
	}
	return rootedAt(g, forest, source), nil
}

// lightLinks are the edges of a graph both ways, whose weights must be finite and not below 0.
func lightLinks(g *algorithms.Graph, args algorithms.Args) ([]link, error) {
	weights := g.Out.Weights(args.Strings["weight"])
	for v := range g.N() {
		for _, w := range weights[g.Out.Offsets[v]:g.Out.Offsets[v+1]] {
			if w < 0 || w-w != 0 {
				return nil, answer.WrongAt(g, v, "an edge of it weighs %v; a Steiner tree needs finite weights, not below 0", w)
			}
		}
	}
	all, err := links(g, args)
	if err != nil || !g.Directed {
		return all, err
	}
	for _, l := range all {
		all = append(all, link{l.u, l.v, l.weight})
	}
	return all, nil
}

// between are the edges from one region to another, the lightest way between terminals first.
func between(g *algorithms.Graph, all []link, near []region) (crossing []link) {
	for _, l := range all {
		if near[l.v].base >= 0 && near[l.v].base != near[l.u].base {
			crossing = append(crossing, l)
		}
	}
	way := func(l link) float64 { return near[l.v].distance + near[l.u].distance + l.weight }
	slices.SortFunc(crossing, func(a, b link) int {
		return cmp.Or(cmp.Compare(way(a), way(b)), cmp.Compare(min(g.IDs[a.v], g.IDs[a.u]), min(g.IDs[b.v], g.IDs[b.u])),
			cmp.Compare(max(g.IDs[a.v], g.IDs[a.u]), max(g.IDs[b.v], g.IDs[b.u])), cmp.Compare(a.weight, b.weight))
	})
	return crossing
}

// rootedAt has the edges of a tree lead to its root.
func rootedAt(g *algorithms.Graph, forest [][]link, root int) []algorithms.Values {
	columns := steinerColumns()
	result := []algorithms.Values{algorithms.NewValues(columns[0], g.N()), algorithms.NewValues(columns[1], g.N()),
		algorithms.NewValues(columns[2], g.N())}
	for v := range forest {
		result[0].Ints[v] = algorithms.Unreached
	}
	result[2].Bools[root] = true
	for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
		for _, l := range forest[queue[0]] {
			if !result[2].Bools[l.u] {
				result[0].Ints[l.u], result[1].Floats[l.u], result[2].Bools[l.u] = g.IDs[l.v], l.weight, true
				queue = append(queue, l.u)
			}
		}
	}
	return result
}

// verifySteinerTree checks that members are joined with the source by edges of these weights, that all targets are
// members that edges join with it, and that nothing else is at an end. Of many such trees it must be the oracle's.
func verifySteinerTree(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	if err := answer.Shaped(g, result, steinerColumns()...); err != nil {
		return err
	}
	source, marked, err := terminals(g, args)
	if err != nil {
		return err
	}
	all, err := lightLinks(g, args)
	if err != nil {
		return err
	}
	if err := verifyTree(g, all, result, source, marked); err != nil {
		return err
	}
	want, err := mehlhorn(g, args)
	if err != nil {
		return err
	}
	for i := range want {
		if err := answer.Matches(g, result[i], want[i]); err != nil {
			return err
		}
	}
	return nil
}

// verifyTree checks that a result is a tree from the source to all targets that can be reached.
func verifyTree(g *algorithms.Graph, all []link, result []algorithms.Values, source int, marked []bool) error {
	up, err := parents(g, all, result[:2])
	if err != nil {
		return err
	}
	reached, inner, member := make([]bool, g.N()), make([]bool, g.N()), result[2].Bools
	neighborhood.Spread(source, reached, neighborhood.All(g))
	for v := range up {
		if up[v] >= 0 {
			inner[up[v]] = true
		}
	}
	for v := range up {
		root, steps := v, 0
		for ; up[root] >= 0 && steps <= g.N(); root = up[root] {
			steps++
		}
		switch {
		case member[v] != (root == source):
			return answer.WrongAt(g, v, "member %v, but its parents end at %d", member[v], g.IDs[root])
		case marked[v] && reached[v] && !member[v]:
			return answer.WrongAt(g, v, "a target that the tree does not have")
		case member[v] && !inner[v] && !marked[v]:
			return answer.WrongAt(g, v, "an end of the tree, but no target")
		}
	}
	return nil
}
