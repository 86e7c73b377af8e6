package community

import (
	"cmp"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/neighborhood"
)

// K1Coloring colors vertices so that no two neighbors have the same color, with few colors. Vertices take theirs in
// the order of degree, largest first, ties by ids; each takes the least color that no neighbor has yet.
//
//	color(v) = min{ c ≥ 0 : color(u) ≠ c for all neighbors u before v }
//
// Direction, parallel edges and loops do not count, but that a degree is the number of edges at a vertex, either way,
// without loops. There are as many colors as the largest degree and one, at most. O(n log n + m). The order makes the
// result unique; Neo4j GDS takes another order, gives other colors, and may stop before neighbors differ. Welsh and
// Powell, "An upper bound for the chromatic number of a graph", 1967; in parallel: Jones and Plassmann, "A parallel
// graph coloring heuristic", 1993.
var K1Coloring = &algorithms.Algorithm{
	Name:      "k1-coloring",
	Aliases:   []string{"coloring"},
	Summary:   "colors, none the same as a neighbor's",
	Source:    "Welsh and Powell 1967; Jones and Plassmann 1993",
	Result:    []algorithms.Column{{Name: "color", Type: algorithms.Int}},
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.NoEdgeColumns},
	Oracle:    coloringOracle,
	Verify:    verifyColoring,
	Figures: func(result []algorithms.Values) []algorithms.Figure {
		colors := int64(0)
		for _, c := range result[0].Ints {
			colors = max(colors, c+1)
		}
		return []algorithms.Figure{{Name: "colors", Value: colors}}
	},
}

// ends is how many edges, loops aside, end or begin at each vertex.
func ends(g *algorithms.Graph) []int {
	degrees := make([]int, g.N())
	for v := range degrees {
		for _, u := range g.Out.Of(v) {
			if int(u) == v {
				continue
			}
			degrees[v]++
			if g.Directed {
				degrees[u]++
			}
		}
	}
	return degrees
}

// coloringOracle takes one vertex after the other.
func coloringOracle(g *algorithms.Graph, _ algorithms.Args) ([]algorithms.Values, error) {
	order, degrees, neighbors := make([]int, g.N()), ends(g), neighborhood.All(g)
	color := make([]int64, g.N())
	for v := range order {
		order[v], color[v] = v, -1
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(degrees[b], degrees[a]), cmp.Compare(g.IDs[a], g.IDs[b]))
	})
	for _, v := range order {
		taken := map[int64]bool{}
		for _, u := range neighbors[v] {
			taken[color[u]] = true
		}
		for color[v] = 0; taken[color[v]]; {
			color[v]++
		}
	}
	return answer.Ints("color", algorithms.Int, color), nil
}

// verifyColoring checks that neighbors differ, and that each vertex has neighbors of all lower colors that come before
// it: no other result does.
func verifyColoring(g *algorithms.Graph, _ algorithms.Args, result []algorithms.Values) error {
	column, err := answer.Sole(g, result, algorithms.Int)
	if err != nil {
		return err
	}
	color, degrees := column.Ints, ends(g)
	for v, near := range neighborhood.All(g) {
		lower := map[int64]bool{}
		for _, u := range near {
			switch {
			case color[u] == color[v]:
				return answer.WrongAt(g, v, "color %d, as vertex %d beside it", color[v], g.IDs[u])
			case color[u] < color[v] && (degrees[u] > degrees[v] || degrees[u] == degrees[v] && g.IDs[u] < g.IDs[v]):
				lower[color[u]] = true
			}
		}
		if color[v] < 0 || int64(len(lower)) != color[v] {
			return answer.WrongAt(g, v, "color %d, but vertices before it have %d lower ones", color[v], len(lower))
		}
	}
	return nil
}
