package paths

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/param"
)

// MaxReliability is the reliability of the most reliable path from the source, where an
// edge works with probability weight(u,v) in (0,1], independently of the others:
//
//	reliability(source) = 1,  reliability(v) = max_{u→v} reliability(u)·weight(u,v)
//
// and -Inf where no path leads. (×,max) in the table of vertex programs; it is SSSP over
// -log(weight). Weights above 1 are taken as they are; a cycle whose product exceeds 1
// is a *DivergedError. Weights below 0 have no meaning.
var MaxReliability = &algorithms.Algorithm{
	Name:    "max-reliability",
	Summary: "reliability of the most reliable path from the source",
	Source:  "the CPU+NPU paper's table of vertex programs",
	Params:  []algorithms.Param{param.Source, param.Weight("the probability that an edge works, above 0 and up to 1")},
	Result:  []algorithms.Column{{Name: "reliability", Type: algorithms.Float}},
	Program: maxReliabilityProgram,
	Oracle:  maxReliabilityOracle,
	Verify:  maxReliabilityRule.verify,
	Figures: maxReliabilityRule.figures,
}

const gainfulCycle = "the source reaches a cycle whose weights multiply to more than 1; probabilities are at most 1"

func maxReliabilityProgram(args algorithms.Args) (*algorithms.Program, error) {
	return &algorithms.Program{
		Name: "max-reliability",
		State: []algorithms.State{{Name: "reliability", Type: algorithms.Float,
			Init: algorithms.Expr{Source: "id == source ? 1.0 : -inf"}}},
		Process:   algorithms.Expr{Source: "src.reliability * " + argument.Weight(args)},
		Reduce:    algorithms.Max,
		Edges:     algorithms.Forward,
		Activity:  algorithms.Changed,
		Order:     algorithms.Monotone,
		Diverged:  argument.Gaining(args, gainfulCycle),
		Constants: []algorithms.Constant{argument.Source(args)},
	}, nil
}

var maxReliabilityRule = pathRule{
	name:      "reliability",
	start:     1,
	unreached: algorithms.Max.FloatIdentity(),
	extend:    func(reliability, weight float64) float64 { return reliability * weight },
	better:    func(a, b float64) bool { return a > b },
}

// maxReliabilityOracle is Dijkstra's algorithm, and Bellman's where weights exceed 1.
func maxReliabilityOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	for _, w := range g.Out.Weights(args.Strings["weight"]) {
		if w > 1 {
			return maxReliabilityRule.walks(g, args, 0, &algorithms.DivergedError{Program: "max-reliability", Iterations: g.N(),
				Meaning: gainfulCycle})
		}
	}
	return maxReliabilityRule.dijkstra(g, args)
}
