package centrality

import (
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/param"
)

// Adsorption spreads a label from its seed: each vertex holds a share of its own label
// and otherwise the average of what its in-neighbors hold.
//
//	score₀(v) = [v = source]
//	scoreₖ(v) = (1-λ)·[v = source] + λ·Σ_{u→v} w(u,v)·scoreₖ₋₁(u)
//
// with w(u,v) = 1/in_degree(v), or the edge property `weight`, whose sum over the edges
// into a vertex must then be at most 1 for the scores to converge; where they do not, that is a *DivergedError.
// (×λ,+) in the table of vertex programs. One run spreads one label; labels do not influence each other. Baluja
// et al., "Video suggestion and discovery for YouTube: taking random walks through the
// view graph", WWW 2008; 1-λ is what a vertex injects of its own label.
var Adsorption = &algorithms.Algorithm{
	Name:    "adsorption",
	Summary: "adsorption: how much of the source's label arrives at each vertex",
	Source:  "Baluja et al., WWW 2008",
	Params: []algorithms.Param{
		{Name: "source", Type: algorithms.ParamVertex, Doc: "the vertex that carries the label"},
		{Name: "lambda", Type: algorithms.ParamFloat, Default: "0.85", Max: 1, Doc: "share that comes from the in-neighbors"},
		{Name: "weight", Type: algorithms.ParamProperty, Optional: true,
			Doc: "edge property that weighs neighbors; sums to at most 1 over the edges into a vertex; without it all neighbors weigh the same"},
		param.ExactIterations(),
		param.Tolerance("largest"),
	},
	Result:  []algorithms.Column{{Name: "score", Type: algorithms.Float}},
	Program: adsorptionProgram,
	Oracle:  adsorptionOracle,
	Verify:  verifyAdsorption,
}

func adsorptionProgram(args algorithms.Args) (*algorithms.Program, error) {
	process, arrived, diverged := "src.score", "(acc / double(max(self.in_degree, 1)))", ""
	if name := args.Strings["weight"]; name != "" {
		process, arrived, diverged = "src.score * "+algorithms.EdgeProperty(name), "acc", endlessScores
	}
	return argument.Iterate(args, &algorithms.Program{
		Name: "adsorption",
		State: []algorithms.State{{Name: "score", Type: algorithms.Float,
			Init:  algorithms.Expr{Source: "id == source ? 1.0 : 0.0"},
			Apply: algorithms.Expr{Source: "(self.id == source ? 1.0 - lambda : 0.0) + lambda * " + arrived},
		}},
		Process:   algorithms.Expr{Source: process},
		Reduce:    algorithms.Sum,
		Edges:     algorithms.Forward,
		Activity:  algorithms.Always,
		Norm:      algorithms.LInf,
		Order:     algorithms.Synchronous,
		Constants: []algorithms.Constant{argument.Source(args), argument.Float(args, "lambda")},
		Diverged:  diverged,
		Finite:    true,
	}), nil
}

const endlessScores = "scores grow on their way, or shrink too slowly: give weights that add up to at most 1 over the edges into a vertex, a smaller lambda, or iterations for the scores after so many"

// adsorptionOracle is fixed-point iteration, pulling along in-edges.
func adsorptionOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	source, err := argument.Start(g, args)
	if err != nil {
		return nil, err
	}
	score := make([]float64, g.N())
	score[source] = 1
	score, settled := settle(args, score, func(score []float64) []float64 {
		return adsorptionStep(g, args, source, score)
	}, largestChange)
	if !settled && args.Strings["weight"] != "" {
		return nil, &algorithms.DivergedError{Program: "adsorption", Iterations: param.DefaultIterations,
			Meaning: endlessScores}
	}
	return answer.Finite("adsorption", answer.Floats("score", score))
}

func adsorptionStep(g *algorithms.Graph, args algorithms.Args, source int, score []float64) []float64 {
	lambda, name := args.Floats["lambda"], args.Strings["weight"]
	weights := g.In.Weights(name)
	next := make([]float64, g.N())
	for v := range next {
		sum := 0.0
		for k := g.In.Offsets[v]; k < g.In.Offsets[v+1]; k++ {
			sum += weights[k] * score[g.In.Neighbors[k]]
		}
		if name == "" {
			sum /= float64(max(g.In.Degree(v), 1))
		}
		next[v] = lambda * sum
	}
	next[source] += 1 - lambda
	return next
}

func largestChange(a, b []float64) float64 {
	largest := 0.0
	for i := range a {
		largest = max(largest, math.Abs(a[i]-b[i]))
	}
	return largest
}

// verifyAdsorption checks that one more step hardly moves the scores: a step is a
// contraction by λ. Scores after a given number of iterations are compared with the oracle's.
func verifyAdsorption(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	got, err := answer.Sole(g, result, algorithms.Float)
	if err != nil {
		return err
	}
	source, err := argument.Start(g, args)
	if err != nil {
		return err
	}
	if argument.Iterate(args, &algorithms.Program{}).Exactly || args.Strings["weight"] != "" {
		want, err := adsorptionOracle(g, args)
		if err != nil {
			return err
		}
		return answer.Matches(g, got, want[0])
	}
	lambda := args.Floats["lambda"]
	if v := slices.IndexFunc(got.Floats, func(x float64) bool { return !(x >= 0 && x <= 1+1e-9) }); v >= 0 {
		return answer.WrongAt(g, v, "score %v is not within 0 and 1", got.Floats[v])
	}
	bound := lambda*max(args.Floats["tolerance"], math.Pow(lambda, param.DefaultIterations)) + 1e-12
	moved := largestChange(got.Floats, adsorptionStep(g, args, source, got.Floats))
	if moved > bound {
		return answer.Wrong("one more iteration moves a score by %g, more than %g", moved, bound)
	}
	return nil
}
