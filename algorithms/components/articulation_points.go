package components

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/neighborhood"
)

// ArticulationPoints tells the vertices that hold the graph together: without one of them, its component falls apart.
//
//	components(v) = number of connected components that v's comes to without v;   articulation(v) = components(v) ≥ 2
//
// Direction, parallel edges and loops do not count. Components(v) is also the number of biconnected components with v.
// O(n + m). Neo4j GDS calls the number resultingComponents, and lists only the articulation points. Hopcroft and
// Tarjan, "Efficient algorithms for graph manipulation", 1973.
var ArticulationPoints = &algorithms.Algorithm{
	Name:      "articulation-points",
	Aliases:   []string{"cut-vertices"},
	Summary:   "articulation points: vertices without which their component falls apart",
	Source:    "Hopcroft and Tarjan 1973",
	Result:    articulationColumns(),
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.NoEdgeColumns},
	Oracle:    articulationOracle,
	Verify:    verifyArticulation,
	Figures: func(result []algorithms.Values) []algorithms.Figure {
		count := int64(0)
		for _, yes := range result[0].Bools {
			if yes {
				count++
			}
		}
		return []algorithms.Figure{{Name: "articulation points", Value: count}}
	},
}

func articulationColumns() []algorithms.Column {
	return []algorithms.Column{{Name: "articulation", Type: algorithms.Bool}, {Name: "components", Type: algorithms.Int}}
}

// articulationOracle takes each vertex away, and counts from how many of its neighbors searches must begin to find the
// others again.
func articulationOracle(g *algorithms.Graph, _ algorithms.Args) ([]algorithms.Values, error) {
	result := []algorithms.Values{algorithms.NewValues(articulationColumns()[0], g.N()),
		algorithms.NewValues(articulationColumns()[1], g.N())}
	neighbors := neighborhood.All(g)
	for v := range neighbors {
		seen, parts := make([]bool, g.N()), int64(0)
		seen[v] = true
		for _, start := range neighbors[v] {
			if !seen[start] {
				parts++
				neighborhood.Spread(int(start), seen, neighbors)
			}
		}
		result[0].Bools[v], result[1].Ints[v] = parts > 1, parts
	}
	return result, nil
}

// verifyArticulation counts the biconnected components with each vertex, by fundamental cycles.
func verifyArticulation(g *algorithms.Graph, _ algorithms.Args, result []algorithms.Values) error {
	if err := answer.Shaped(g, result, articulationColumns()...); err != nil {
		return err
	}
	b, parts := newBlocks(g), make([]int64, g.N())
	for v, up := range b.parent {
		if up < 0 {
			continue
		}
		parts[v]++ // the block of its way up; the others with v have it at the top
		if b.find(v) == v {
			parts[up]++
		}
	}
	for v, want := range parts {
		if got := result[1].Ints[v]; got != want {
			return answer.WrongAt(g, v, "%d components, but it is in %d biconnected components", got, want)
		}
		if got := result[0].Bools[v]; got != (want > 1) {
			return answer.WrongAt(g, v, "articulation is %v, but %d components are left without it", got, want)
		}
	}
	return nil
}
