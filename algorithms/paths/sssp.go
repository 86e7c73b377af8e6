package paths

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/param"
)

// SSSP is the length of the shortest path from the source:
//
//	dist(source) = 0,  dist(v) = min_{u→v} dist(u) + weight(u,v)
//
// and +Inf where no path leads. Weights may be negative; a cycle of negative weight that
// the source reaches makes distances without bound, which is a *DivergedError. The
// program is Bellman–Ford (Bellman, "On a routing problem", 1958); (+,min) in the table of
// vertex programs. LDBC Graphalytics 1.0.1, section 2.3.6.
var SSSP = &algorithms.Algorithm{
	Name:    "sssp",
	Summary: "single-source shortest paths by edge weight",
	Source:  "Bellman 1958; Dijkstra 1959; LDBC Graphalytics 1.0.1, 2.3.6",
	Params:  []algorithms.Param{param.Source, param.Weight("the length of an edge")},
	Result:  []algorithms.Column{{Name: "dist", Type: algorithms.Float}},
	Yield:   "distance",
	Program: ssspProgram,
	Oracle:  ssspOracle,
	Verify:  ssspRule.verify,
	Figures: ssspRule.figures,
}

const negativeCycle = "the source reaches a cycle of negative weight, so there is no shortest path"

func ssspProgram(args algorithms.Args) (*algorithms.Program, error) {
	return &algorithms.Program{
		Name: "sssp",
		State: []algorithms.State{{Name: "dist", Type: algorithms.Float,
			Init: algorithms.Expr{Source: "id == source ? 0.0 : inf"}}},
		Process:   algorithms.Expr{Source: "src.dist + " + argument.Weight(args)},
		Reduce:    algorithms.Min,
		Edges:     algorithms.Forward,
		Activity:  algorithms.Changed,
		Order:     algorithms.Monotone,
		Diverged:  argument.Gaining(args, negativeCycle),
		Constants: []algorithms.Constant{argument.Source(args)},
	}, nil
}

var ssspRule = pathRule{
	name:      "dist",
	start:     0,
	unreached: algorithms.Min.FloatIdentity(),
	extend:    func(dist, weight float64) float64 { return dist + weight },
	better:    func(a, b float64) bool { return a < b },
}

// ssspOracle is Dijkstra's algorithm, and Bellman's where weights are negative.
func ssspOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	negative := func(w float64) bool { return w < 0 }
	if slices.ContainsFunc(g.Out.Weights(args.Strings["weight"]), negative) {
		return ssspRule.walks(g, args, 0, &algorithms.DivergedError{Program: "sssp", Iterations: g.N(),
			Meaning: negativeCycle})
	}
	return ssspRule.dijkstra(g, args)
}
