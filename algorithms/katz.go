package algorithms

import (
	"fmt"
	"math"
)

// Katz centrality counts walks that end at a vertex, those of k edges by alpha to the k:
//
//	x₀(v) = beta,   xₖ(v) = beta + alpha·Σ_{u→v} xₖ₋₁(u)
//
// It converges where alpha is below 1 by the largest eigenvalue of the graph, which is at most the largest in-degree d:
// without alpha it is 0.85/d, and no change is more than 0.85 of the one before. Where it does not, that is a
// *DivergedError; `iterations` counts the walks of at most that many edges instead, whatever alpha. Values are not
// scaled. O(m) an iteration. Katz, "A new status index derived from sociometric analysis", 1953.
var katz = &Algorithm{
	Name:    "katz",
	Aliases: []string{"katz-centrality"},
	Summary: "Katz centrality: walks to a vertex, long ones less",
	Source:  "Katz 1953",
	Params: []Param{
		{Name: "alpha", Type: ParamFloat, Optional: true, Share: 0.85, Max: 1,
			Doc: "what an edge more makes of a walk; without it, 0.85 by the largest in-degree"},
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
			Diverged: endlessWalks(args), Finite: true,
		}), nil
	},
	Oracle: katzOracle,
	Verify: again(katzOracle),
}

// endlessWalks is what it means that values have not settled.
func endlessWalks(args Args) string {
	most := args.Ints[mostIn]
	return fmt.Sprintf("walks count for more the longer they are, as alpha=%.4g is too large for this graph (or tolerance too "+
		"small); it is small enough below 1/%d=%.4g, by the largest in-degree: leave alpha out, which makes it 0.85 of that, or "+
		"give iterations to count walks of at most that many edges", args.Floats["alpha"], most, 1/float64(most))
}

func katzOracle(g *Graph, args Args) ([]Values, error) {
	alpha, beta := args.Floats["alpha"], args.Floats["beta"]
	x := make([]float64, g.N())
	for v := range x {
		x[v] = beta
	}
	x, settled := args.settle(x, func(x []float64) []float64 {
		next := pulled(g, x, "")
		for v := range next {
			next[v] = beta + alpha*next[v]
		}
		return next
	}, largestChange)
	if !settled {
		return nil, &DivergedError{Program: "katz", Iterations: defaultIterations, Meaning: endlessWalks(args)}
	}
	return finite("katz", floatResult("centrality", x))
}
