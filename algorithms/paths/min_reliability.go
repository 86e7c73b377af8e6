package paths

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/param"
)

// MinReliability is the reliability of the least reliable walk from the source, where an
// edge works with probability weight(u,v) in (0,1], independently of the others:
//
//	reliability(source) = 1,  reliability(v) = min_{u→v} reliability(u)·weight(u,v)
//
// and +Inf where no walk leads. (×,min) in the table of vertex programs. A walk around a
// cycle gets less reliable each time, so where the source reaches a cycle with a weight
// below 1 there is no least one, which is a *DivergedError; `iterations` considers the walks
// of at most that many edges instead. Weights below 0 have no meaning.
var MinReliability = &algorithms.Algorithm{
	Name:    "min-reliability",
	Summary: "reliability of the least reliable walk from the source",
	Source:  "the CPU+NPU paper's table of vertex programs",
	Params: []algorithms.Param{param.Source, param.Weight("the probability that an edge works, above 0 and up to 1"),
		param.Bound("walks")},
	Result:  []algorithms.Column{{Name: "reliability", Type: algorithms.Float}},
	Acyclic: true,
	Program: minReliabilityProgram,
	Oracle:  minReliabilityOracle,
	Verify:  verifyMinReliability,
	Figures: minReliabilityRule.figures,
}

const losingCycle = "the source reaches a cycle whose weights multiply to less than 1, so there is no least reliable walk; give iterations to consider walks of at most that many edges"

func minReliabilityProgram(args algorithms.Args) (*algorithms.Program, error) {
	return argument.Bounded(args, &algorithms.Program{
		Name: "min-reliability",
		State: []algorithms.State{{Name: "reliability", Type: algorithms.Float,
			Init: algorithms.Expr{Source: "id == source ? 1.0 : inf"}}},
		Process:   algorithms.Expr{Source: "src.reliability * " + argument.Weight(args)},
		Reduce:    algorithms.Min,
		Edges:     algorithms.Forward,
		Activity:  algorithms.Changed,
		Order:     algorithms.Monotone,
		Diverged:  argument.Gaining(args, losingCycle),
		Constants: []algorithms.Constant{argument.Source(args)},
	}), nil
}

var minReliabilityRule = pathRule{
	name:      "reliability",
	start:     1,
	unreached: algorithms.Min.FloatIdentity(),
	extend:    func(reliability, weight float64) float64 { return reliability * weight },
	better:    func(a, b float64) bool { return a < b },
	vanishes:  true,
}

func minReliabilityOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	return minReliabilityRule.walks(g, args, int(args.Ints["iterations"]),
		&algorithms.DivergedError{Program: "min-reliability", Iterations: g.N(), Meaning: losingCycle})
}

func verifyMinReliability(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	return minReliabilityRule.verifyWalks(g, args, result, minReliabilityOracle)
}
