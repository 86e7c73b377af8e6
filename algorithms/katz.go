package algorithms

import "math"

// Katz centrality counts walks that end at a vertex, those of k edges by alpha to the k:
//
//	x₀(v) = beta,   xₖ(v) = beta + alpha·Σ_{u→v} xₖ₋₁(u)
//
// It converges where alpha is below the inverse of the largest eigenvalue of the graph, and so below that of the
// largest in-degree at the latest. Where it does not, the run says that it has not converged, and values are of walks
// of at most 100 edges. They are not scaled. O(m) an iteration. Katz, "A new status index derived from sociometric
// analysis", 1953.
var katz = &Algorithm{
	Name:    "katz",
	Aliases: []string{"katz-centrality"},
	Summary: "Katz centrality: walks to a vertex, long ones less",
	Source:  "Katz 1953",
	Params: []Param{
		{Name: "alpha", Type: ParamFloat, Default: "0.1", Max: 1, Doc: "what an edge more makes of a walk"},
		{Name: "beta", Type: ParamFloat, Default: "1", Max: math.MaxFloat32, Doc: "what the walk without edges counts"},
		exactIterationsParam(), toleranceParam("largest"),
	},
	Result: []Column{{Name: "centrality", Type: Float}},
	Yield:  "score",
	Program: func(args Args) (*Program, error) {
		return args.iterate(&Program{
			Name: "katz",
			State: []State{{Name: "centrality", Type: Float, Init: Expr{Source: "beta"},
				Apply: Expr{Source: "beta + alpha * acc"}}},
			Process: Expr{Source: "src.centrality"}, Reduce: Sum, Edges: Forward, Activity: Always, Norm: LInf,
			Order: Synchronous, Constants: []Constant{args.float("alpha"), args.float("beta")},
		}), nil
	},
	Oracle: katzOracle,
	Verify: again(katzOracle),
}

func katzOracle(g *Graph, args Args) ([]Values, error) {
	alpha, beta := args.Floats["alpha"], args.Floats["beta"]
	x := make([]float64, g.N())
	for v := range x {
		x[v] = beta
	}
	return floatResult("centrality", args.settle(x, func(x []float64) []float64 {
		next := pulled(g, x, "")
		for v := range next {
			next[v] = beta + alpha*next[v]
		}
		return next
	}, largestChange)), nil
}
