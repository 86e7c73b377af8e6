package centrality

import (
	"fmt"
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/param"
)

// Katz centrality counts walks that end at a vertex, those of k edges by alpha to the k:
//
//	x₀(v) = beta,   xₖ(v) = beta + alpha·Σ_{u→v} xₖ₋₁(u)
//
// It converges where alpha is below 1 by the largest eigenvalue of the graph, which is at most the largest in-degree d:
// without alpha it is 0.85/d, and no change is more than 0.85 of the one before. Where it does not, that is a
// *DivergedError; `iterations` counts the walks of at most that many edges instead, whatever alpha. Values are not
// scaled. O(m) an iteration. Katz, "A new status index derived from sociometric analysis", 1953.
var Katz = &algorithms.Algorithm{
	Name:    "katz",
	Aliases: []string{"katz-centrality"},
	Summary: "Katz centrality: walks to a vertex, long ones less",
	Source:  "Katz 1953",
	Params: []algorithms.Param{
		{Name: "alpha", Type: algorithms.ParamFloat, Optional: true, Share: 0.85, Max: 1,
			Doc: "what an edge more makes of a walk; without it, 0.85 by the largest in-degree"},
		{Name: "beta", Type: algorithms.ParamFloat, Default: "1", Max: math.MaxFloat32,
			Doc: "what the walk without edges counts"},
		param.ExactIterations(), param.Tolerance("largest"),
	},
	Result: []algorithms.Column{{Name: "centrality", Type: algorithms.Float}},
	Yield:  "score",
	Program: func(args algorithms.Args) (*algorithms.Program, error) {
		return argument.Iterate(args, &algorithms.Program{
			Name: "katz",
			State: []algorithms.State{{Name: "centrality", Type: algorithms.Float, Init: algorithms.Expr{Source: "beta"},
				Apply: algorithms.Expr{Source: "beta + alpha * acc"}}},
			Process: algorithms.Expr{Source: "src.centrality"}, Reduce: algorithms.Sum, Edges: algorithms.Forward,
			Activity: algorithms.Always, Norm: algorithms.LInf,
			Order: algorithms.Synchronous, Constants: []algorithms.Constant{argument.Float(args, "alpha"),
				argument.Float(args, "beta")},
			Diverged: endlessWalks(args), Finite: true,
		}), nil
	},
	Oracle: katzOracle,
	Verify: answer.Again(katzOracle),
}

// endlessWalks is what it means that values have not settled.
func endlessWalks(args algorithms.Args) string {
	most := args.Ints[algorithms.MostIn]
	return fmt.Sprintf("walks count for more the longer they are, as alpha=%.4g is too large for this graph (or tolerance too "+
		"small); it is small enough below 1/%d=%.4g, by the largest in-degree: leave alpha out, which makes it 0.85 of that, or "+
		"give iterations to count walks of at most that many edges", args.Floats["alpha"], most, 1/float64(most))
}

func katzOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	alpha, beta := args.Floats["alpha"], args.Floats["beta"]
	x := make([]float64, g.N())
	for v := range x {
		x[v] = beta
	}
	x, settled := settle(args, x, func(x []float64) []float64 {
		next := pulled(g, x, "")
		for v := range next {
			next[v] = beta + alpha*next[v]
		}
		return next
	}, largestChange)
	if !settled {
		return nil, &algorithms.DivergedError{Program: "katz", Iterations: param.DefaultIterations,
			Meaning: endlessWalks(args)}
	}
	return answer.Finite("katz", answer.Floats("centrality", x))
}
