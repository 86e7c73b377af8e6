package algorithms

// MaxReliability is the reliability of the most reliable path from the source, where an
// edge works with probability weight(u,v) in (0,1], independently of the others:
//
//	reliability(source) = 1,  reliability(v) = max_{u→v} reliability(u)·weight(u,v)
//
// and -Inf where no path leads. (×,max) in the table of vertex programs; it is SSSP over
// -log(weight). Weights above 1 are taken as they are; a cycle whose product exceeds 1
// is a *DivergedError. Weights below 0 have no meaning.
var maxReliability = &Algorithm{
	Name:    "max-reliability",
	Summary: "reliability of the most reliable path from the source",
	Source:  "the CPU+NPU paper's table of vertex programs",
	Params:  []Param{sourceParam, weightParam("the probability that an edge works, above 0 and up to 1")},
	Result:  []Column{{Name: "reliability", Type: Float}},
	Program: maxReliabilityProgram,
	Oracle:  maxReliabilityOracle,
	Verify:  maxReliabilityRule.verify,
	Figures: maxReliabilityRule.figures,
}

const gainfulCycle = "the source reaches a cycle whose weights multiply to more than 1; probabilities are at most 1"

func maxReliabilityProgram(args Args) (*Program, error) {
	return &Program{
		Name:      "max-reliability",
		State:     []State{{Name: "reliability", Type: Float, Init: Expr{Source: "id == source ? 1.0 : -inf"}}},
		Process:   Expr{Source: "src.reliability * " + args.weight()},
		Reduce:    Max,
		Edges:     Forward,
		Activity:  Changed,
		Order:     Monotone,
		Diverged:  args.gaining(gainfulCycle),
		Constants: []Constant{args.source()},
	}, nil
}

var maxReliabilityRule = pathRule{
	name:      "reliability",
	start:     1,
	unreached: Max.FloatIdentity(),
	extend:    func(reliability, weight float64) float64 { return reliability * weight },
	better:    func(a, b float64) bool { return a > b },
}

// maxReliabilityOracle is Dijkstra's algorithm, and Bellman's where weights exceed 1.
func maxReliabilityOracle(g *Graph, args Args) ([]Values, error) {
	for _, w := range g.Out.weights(args.Strings["weight"]) {
		if w > 1 {
			return maxReliabilityRule.walks(g, args, 0, &DivergedError{Program: "max-reliability", Iterations: g.N(),
				Meaning: gainfulCycle})
		}
	}
	return maxReliabilityRule.dijkstra(g, args)
}
