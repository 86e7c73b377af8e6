package paths

import (
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/param"
)

// LongestPath gives each vertex of a directed acyclic graph the dearest path that ends there.
//
//	cost(v) = max{ cost(u) + w(u,v) : u→v }, 0 where no edge comes to v
//	parent(v) = u of that maximum, of several the one with the smallest id
//
// Paths begin where no edge comes to, so that the cost may be negative where weights are. A cycle is a *DivergedError
// that names it, whatever its weights. Unlike max-cost, it goes from no source, and takes one pass. O(n + m). Neo4j GDS
// lists paths, a row each. Sedgewick and Wayne, "Algorithms", 4th ed., 2011, section 4.4 (critical path method).
var LongestPath = &algorithms.Algorithm{
	Name:    "longest-path",
	Summary: "dearest path to each vertex of a directed acyclic graph",
	Source:  "Sedgewick and Wayne 2011, section 4.4",
	Params:  []algorithms.Param{param.Weight("how long an edge is")},
	Result:  longestColumns(),
	Acyclic: true,
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.EdgeColumns,
		Diverged: noOrder},
	Oracle: longestOracle,
	Verify: verifyLongestPath,
	Figures: func(result []algorithms.Values) []algorithms.Figure {
		roots := int64(0)
		for _, parent := range result[1].Ints {
			if parent == algorithms.Unreached {
				roots++
			}
		}
		return []algorithms.Figure{{Name: "starts", Value: roots}}
	},
}

func longestColumns() []algorithms.Column {
	return []algorithms.Column{{Name: "cost", Type: algorithms.Float}, {Name: "parent", Type: algorithms.VertexID}}
}

// longestOracle lets paths have one edge more, as often as a path may have edges (Bellman 1958).
func longestOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	if err := finiteWeights(g, args, "a longest path"); err != nil {
		return nil, err
	}
	if _, err := levels(g, "longest-path"); err != nil {
		return nil, err
	}
	cost, parent, weights := make([]float64, g.N()), make([]int64, g.N()), g.In.Weights(args.Strings["weight"])
	for v := range cost {
		if parent[v] = algorithms.Unreached; g.In.Degree(v) > 0 {
			cost[v] = math.Inf(-1)
		}
	}
	for range g.N() {
		for v := range cost {
			if g.In.Degree(v) > 0 {
				cost[v], parent[v] = longestTo(g, weights, cost, v)
			}
		}
	}
	return append(answer.Floats("cost", cost), answer.Ints("parent", algorithms.VertexID, parent)...), nil
}

// longestTo is the most that in-neighbors make of v's cost, and which of them.
func longestTo(g *algorithms.Graph, weights, cost []float64, v int) (most float64, parent int64) {
	most, parent = math.Inf(-1), algorithms.Unreached
	for k, u := range g.In.Of(v) {
		along, id := cost[u]+weights[g.In.Offsets[v]+k], g.IDs[u]
		if along > most || along == most && id < parent {
			most, parent = along, id
		}
	}
	return most, parent
}

// finiteWeights fails where an edge weighs no finite number.
func finiteWeights(g *algorithms.Graph, args algorithms.Args, what string) error {
	weights := g.Out.Weights(args.Strings["weight"])
	for v := range g.N() {
		for k := g.Out.Offsets[v]; k < g.Out.Offsets[v+1]; k++ {
			if w := weights[k]; w-w != 0 {
				return answer.WrongAt(g, v, "an edge of it weighs %v; %s needs finite weights", w, what)
			}
		}
	}
	return nil
}

// verifyLongestPath checks that each vertex has what the best of its in-neighbors makes of it. In a graph without
// cycles there is one such result.
func verifyLongestPath(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	if err := answer.Shaped(g, result, longestColumns()...); err != nil {
		return err
	}
	if _, err := levels(g, "longest-path"); err != nil {
		return err
	}
	cost, parent, weights := result[0].Floats, result[1].Ints, g.In.Weights(args.Strings["weight"])
	for v := range cost {
		want, from := 0.0, algorithms.Unreached
		if g.In.Degree(v) > 0 {
			want, from = longestTo(g, weights, cost, v)
		}
		if cost[v] != want || parent[v] != from {
			return answer.WrongAt(g, v, "%v by %d; its in-neighbors make it %v by %d (%d: none)", cost[v], parent[v], want, from,
				algorithms.Unreached)
		}
	}
	return nil
}
