package algorithms

// MaxCost is the cost of the dearest walk from the source, the critical path of a project:
//
//	cost(source) = 0,  cost(v) = max_{u→v} cost(u) + weight(u,v)
//
// and -Inf where no walk leads. (+,max) in the table of vertex programs. It is meant for
// acyclic graphs: where the source reaches a cycle of positive cost there is no dearest
// walk, which is a *DivergedError; `iterations` considers the walks of at most that many
// edges instead. Kelley and Walker, "Critical-path planning and scheduling", 1959.
var maxCost = &Algorithm{
	Name:    "max-cost",
	Aliases: []string{"critical-path"},
	Summary: "cost of the dearest walk from the source (critical path)",
	Source:  "Kelley and Walker 1959",
	Params:  []Param{sourceParam, weightParam("the cost of an edge"), boundParam("walks")},
	Result:  []Column{{Name: "cost", Type: Float}},
	Acyclic: true,
	Program: maxCostProgram,
	Oracle:  maxCostOracle,
	Verify:  verifyMaxCost,
	Figures: maxCostRule.figures,
}

const positiveCycle = "the source reaches a cycle of positive cost, so there is no dearest walk; give iterations to consider walks of at most that many edges"

func maxCostProgram(args Args) (*Program, error) {
	return args.bounded(&Program{
		Name:      "max-cost",
		State:     []State{{Name: "cost", Type: Float, Init: Expr{Source: "id == source ? 0.0 : -inf"}}},
		Process:   Expr{Source: "src.cost + " + args.weight()},
		Reduce:    Max,
		Edges:     Forward,
		Activity:  Changed,
		Order:     Monotone,
		Diverged:  positiveCycle,
		Constants: []Constant{args.source()},
	}), nil
}

var maxCostRule = pathRule{
	name:      "cost",
	start:     0,
	unreached: Max.FloatIdentity(),
	extend:    func(cost, weight float64) float64 { return cost + weight },
	better:    func(a, b float64) bool { return a > b },
}

func maxCostOracle(g *Graph, args Args) ([]Values, error) {
	return maxCostRule.walks(g, args, int(args.Ints["iterations"]),
		&DivergedError{Program: "max-cost", Iterations: g.N(), Meaning: positiveCycle})
}

func verifyMaxCost(g *Graph, args Args, result []Values) error {
	return maxCostRule.verifyWalks(g, args, result, maxCostOracle)
}
