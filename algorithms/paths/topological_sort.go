package paths

import (
	"cmp"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
)

// TopologicalSort puts the vertices in an order in which every edge leads forward.
//
//	level(v) = max{ level(u) + 1 : u→v }, 0 where no edge comes to v
//	position(v) = |{ u : (level(u), id(u)) < (level(v), id(v)) }|
//
// A vertex's level is the number of edges of the longest path to it. The order by level and ids is one of many that are
// topological, and does not depend on how the graph is stored. A cycle, such as a loop, or an edge of an undirected
// graph both ways, is a *DivergedError that names it; Neo4j GDS leaves out what a cycle leads to instead, and lists the
// others a row each. O(n log n + m). Kahn, "Topological sorting of large networks", 1962.
var TopologicalSort = &algorithms.Algorithm{
	Name:    "topological-sort",
	Summary: "an order of the vertices in which every edge leads forward",
	Source:  "Kahn 1962",
	Result:  topologicalColumns(),
	Acyclic: true,
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.NoEdgeColumns,
		Diverged: noOrder},
	Oracle: func(g *algorithms.Graph, _ algorithms.Args) ([]algorithms.Values, error) {
		level, err := levels(g, "topological-sort")
		if err != nil {
			return nil, err
		}
		return append(answer.Ints("position", algorithms.Int, sorted(g, level)),
			answer.Ints("level", algorithms.Int, level)...), nil
	},
	Verify: verifyTopologicalSort,
	Figures: func(result []algorithms.Values) []algorithms.Figure {
		count := int64(0)
		for _, level := range result[1].Ints {
			count = max(count, level+1)
		}
		return []algorithms.Figure{{Name: "levels", Value: count}}
	},
}

const noOrder = "a cycle is in the way, as both ways along an edge of an undirected graph, so vertices have no topological order"

func topologicalColumns() []algorithms.Column {
	return []algorithms.Column{{Name: "position", Type: algorithms.Int}, {Name: "level", Type: algorithms.Int}}
}

// levels takes away, over and over, all vertices to which no edge leads from one that is left.
func levels(g *algorithms.Graph, name string) ([]int64, error) {
	level := make([]int64, g.N())
	left := make([]bool, g.N())
	for v := range left {
		left[v] = true
	}
	for round, count := int64(0), g.N(); count > 0; round++ {
		var ready []int
		for v := range left {
			if left[v] && !slices.ContainsFunc(g.In.Of(v), func(u uint32) bool { return left[u] }) {
				ready = append(ready, v)
			}
		}
		if len(ready) == 0 {
			return nil, &algorithms.DivergedError{Program: name, Iterations: int(round), Meaning: noOrder}
		}
		for _, v := range ready {
			left[v], level[v] = false, round
		}
		count -= len(ready)
	}
	return level, nil
}

// sorted has the positions of vertices in the order of levels, and of ids where these are the same.
func sorted(g *algorithms.Graph, level []int64) []int64 {
	order, position := make([]int, g.N()), make([]int64, g.N())
	for v := range order {
		order[v] = v
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(level[a], level[b]), cmp.Compare(g.IDs[a], g.IDs[b]))
	})
	for at, v := range order {
		position[v] = int64(at)
	}
	return position
}

// verifyTopologicalSort checks that each level is one above the highest before it, which no levels on a cycle are, and
// that positions are in the order of levels and ids.
func verifyTopologicalSort(g *algorithms.Graph, _ algorithms.Args, result []algorithms.Values) error {
	if err := answer.Shaped(g, result, topologicalColumns()...); err != nil {
		return err
	}
	position, level := result[0].Ints, result[1].Ints
	at := make([]int, g.N())
	for v := range at {
		at[v] = -1
	}
	for v := range at {
		if want := levelAfter(g, level, v); level[v] != want {
			return answer.WrongAt(g, v, "level %d, but edges from lower ones make it %d", level[v], want)
		}
		p := position[v]
		if p < 0 || p >= int64(g.N()) || at[p] >= 0 {
			return answer.WrongAt(g, v, "position %d, which is none or that of another vertex", p)
		}
		at[p] = v
	}
	for p := 1; p < len(at); p++ {
		u, v := at[p-1], at[p]
		if cmp.Or(cmp.Compare(level[u], level[v]), cmp.Compare(g.IDs[u], g.IDs[v])) >= 0 {
			return answer.WrongAt(g, v, "position %d after vertex %d, whose level and id come later", p, g.IDs[u])
		}
	}
	return nil
}

// levelAfter is one above the highest level of v's in-neighbors.
func levelAfter(g *algorithms.Graph, level []int64, v int) (after int64) {
	for _, u := range g.In.Of(v) {
		after = max(after, level[u]+1)
	}
	return after
}
