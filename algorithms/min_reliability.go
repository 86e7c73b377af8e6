package algorithms

// MinReliability is the reliability of the least reliable walk from the source, where an
// edge works with probability weight(u,v) in (0,1], independently of the others:
//
//	reliability(source) = 1,  reliability(v) = min_{u→v} reliability(u)·weight(u,v)
//
// and +Inf where no walk leads. (×,min) in the table of vertex programs. A walk around a
// cycle gets less reliable each time, so where the source reaches a cycle with a weight
// below 1 there is no least one, which is a *DivergedError; `iterations` considers the walks
// of at most that many edges instead. Weights below 0 have no meaning.
var minReliability = &Algorithm{
	Name:    "min-reliability",
	Summary: "reliability of the least reliable walk from the source",
	Source:  "the CPU+NPU paper's table of vertex programs",
	Params: []Param{sourceParam, weightParam("the probability that an edge works, above 0 and up to 1"),
		boundParam("walks")},
	Result:  []Column{{Name: "reliability", Type: Float}},
	Acyclic: true,
	Program: minReliabilityProgram,
	Oracle:  minReliabilityOracle,
	Verify:  verifyMinReliability,
	Figures: minReliabilityRule.figures,
}

const losingCycle = "the source reaches a cycle whose weights multiply to less than 1, so there is no least reliable walk; give iterations to consider walks of at most that many edges"

func minReliabilityProgram(args Args) (*Program, error) {
	return args.bounded(&Program{
		Name:      "min-reliability",
		State:     []State{{Name: "reliability", Type: Float, Init: Expr{Source: "id == source ? 1.0 : inf"}}},
		Process:   Expr{Source: "src.reliability * " + args.weight()},
		Reduce:    Min,
		Edges:     Forward,
		Activity:  Changed,
		Order:     Monotone,
		Diverged:  args.gaining(losingCycle),
		Constants: []Constant{args.source()},
	}), nil
}

var minReliabilityRule = pathRule{
	name:      "reliability",
	start:     1,
	unreached: Min.FloatIdentity(),
	extend:    func(reliability, weight float64) float64 { return reliability * weight },
	better:    func(a, b float64) bool { return a < b },
	vanishes:  true,
}

func minReliabilityOracle(g *Graph, args Args) ([]Values, error) {
	return minReliabilityRule.walks(g, args, int(args.Ints["iterations"]),
		&DivergedError{Program: "min-reliability", Iterations: g.N(), Meaning: losingCycle})
}

func verifyMinReliability(g *Graph, args Args, result []Values) error {
	return minReliabilityRule.verifyWalks(g, args, result, minReliabilityOracle)
}
