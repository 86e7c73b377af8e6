package paths

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/param"
)

// MaxCost is the cost of the dearest walk from the source, the critical path of a project:
//
//	cost(source) = 0,  cost(v) = max_{u→v} cost(u) + weight(u,v)
//
// and -Inf where no walk leads. (+,max) in the table of vertex programs. It is meant for
// acyclic graphs: where the source reaches a cycle of positive cost there is no dearest
// walk, which is a *DivergedError; `iterations` considers the walks of at most that many
// edges instead. Kelley and Walker, "Critical-path planning and scheduling", 1959.
var MaxCost = &algorithms.Algorithm{
	Name:    "max-cost",
	Aliases: []string{"critical-path"},
	Summary: "cost of the dearest walk from the source (critical path)",
	Source:  "Kelley and Walker 1959",
	Params:  []algorithms.Param{param.Source, param.Weight("the cost of an edge"), param.Bound("walks")},
	Result:  []algorithms.Column{{Name: "cost", Type: algorithms.Float}},
	Acyclic: true,
	Program: maxCostProgram,
	Oracle:  maxCostOracle,
	Verify:  verifyMaxCost,
	Figures: maxCostRule.figures,
}

const positiveCycle = "the source reaches a cycle of positive cost, so there is no dearest walk; give iterations to consider walks of at most that many edges"

func maxCostProgram(args algorithms.Args) (*algorithms.Program, error) {
	return argument.Bounded(args, &algorithms.Program{
		Name: "max-cost",
		State: []algorithms.State{{Name: "cost", Type: algorithms.Float,
			Init: algorithms.Expr{Source: "id == source ? 0.0 : -inf"}}},
		Process:   algorithms.Expr{Source: "src.cost + " + argument.Weight(args)},
		Reduce:    algorithms.Max,
		Edges:     algorithms.Forward,
		Activity:  algorithms.Changed,
		Order:     algorithms.Monotone,
		Diverged:  positiveCycle,
		Constants: []algorithms.Constant{argument.Source(args)},
	}), nil
}

var maxCostRule = pathRule{
	name:      "cost",
	start:     0,
	unreached: algorithms.Max.FloatIdentity(),
	extend:    func(cost, weight float64) float64 { return cost + weight },
	better:    func(a, b float64) bool { return a > b },
}

func maxCostOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	return maxCostRule.walks(g, args, int(args.Ints["iterations"]),
		&algorithms.DivergedError{Program: "max-cost", Iterations: g.N(), Meaning: positiveCycle})
}

func verifyMaxCost(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	return maxCostRule.verifyWalks(g, args, result, maxCostOracle)
}
