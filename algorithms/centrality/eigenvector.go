package centrality

import (
	"fmt"
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/param"
	"github.com/penstock-db/penstock/algorithms/internal/vector"
)

// Eigenvector centrality is high where edges come from vertices of high centrality: the eigenvector of the largest
// eigenvalue, by power iteration, scaled to length 1.
//
//	x₀(v) = 1/√n,   xₖ(v) = ( xₖ₋₁(v) + Σ_{u→v} w(u,v)·xₖ₋₁(u) ) / ‖xₖ₋₁‖
//
// With sourceNodes S, x₀(v) = [v ∈ S] / √|S|, as in Neo4j GDS, whose 1/|S| comes to the same once it is scaled: what is
// not reached from S has 0, and with few iterations what is near to S has more.
//
// What a vertex has itself is added, so that it settles in bipartite graphs (NetworkX does so). The change that
// tolerance speaks of is of x before it is scaled. Squares that overflow, of huge weights, make it infinite, which is a
// *DivergedError. O(m) an iteration. Bonacich, "Power and centrality", 1987.
var Eigenvector = &algorithms.Algorithm{
	Name:    "eigenvector",
	Aliases: []string{"eigenvector-centrality"},
	Summary: "eigenvector centrality: edges from central vertices make central",
	Source:  "Bonacich 1987",
	Params: []algorithms.Param{param.ExactIterations(), param.Tolerance("largest"),
		param.OwnWeight("how much an edge passes on"),
		{Name: "sourceNodes", Type: algorithms.ParamVertices, Optional: true,
			Doc: "the vertices that centrality begins at, 100 at most; without it, all"}},
	Derive: fewSources("eigenvector"),
	Result: []algorithms.Column{{Name: "centrality", Type: algorithms.Float}},
	Yield:  "score",
	Program: func(args algorithms.Args) (*algorithms.Program, error) {
		message := "src.centrality"
		if args.Strings["weight"] != "" {
			message += " * " + argument.Weight(args)
		}
		return argument.Iterate(args, &algorithms.Program{
			Name: "eigenvector",
			State: []algorithms.State{{Name: "centrality", Type: algorithms.Float, Init: algorithms.Expr{Source: unit(args)},
				Apply: algorithms.Expr{Source: "agg.square > 0.0 && agg.square < inf ? (self.centrality + acc) / sqrt(agg.square) : agg.square"}}},
			Process: algorithms.Expr{Source: message}, Reduce: algorithms.Sum, Edges: algorithms.Forward,
			Activity: algorithms.Always, Norm: algorithms.LInf, Order: algorithms.Synchronous,
			Aggregates: []algorithms.Aggregate{{Name: "square", Expr: algorithms.Expr{Source: "self.centrality * self.centrality"}}},
			Finite:     true,
		}), nil
	},
	Finish: func(result []algorithms.Values) { vector.Scale(result[0].Floats) },
	Oracle: eigenvectorOracle,
	Verify: answer.Again(eigenvectorOracle),
}

// unit is what a vertex begins with, of a vector of length 1, as an expression.
func unit(args algorithms.Args) string {
	sources := args.Vertices["sourceNodes"]
	if len(sources) == 0 {
		return "1.0 / sqrt(double(n))"
	}
	return fmt.Sprintf("%s ? 1.0 / sqrt(%d.0) : 0.0", amongIDs(sources), len(sources))
}

func eigenvectorOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	sources, err := sourceNodes(g, args)
	if err != nil {
		return nil, err
	}
	x := make([]float64, g.N())
	for _, v := range sources {
		x[v] = 1 / math.Sqrt(float64(len(sources)))
	}
	x, _ = settle(args, x, func(x []float64) []float64 {
		next, length := pulled(g, x, args.Strings["weight"]), vector.Norm(x)
		for v := range next {
			if next[v] += x[v]; length > 0 {
				next[v] /= length
			}
			if math.IsInf(length, 1) {
				next[v] = length
			}
		}
		return next
	}, largestChange)
	vector.Scale(x)
	return answer.Finite("eigenvector", answer.Floats("centrality", x))
}

// pulled is the sum of what in-neighbors have, times weights.
func pulled(g *algorithms.Graph, x []float64, weight string) []float64 {
	sums, weights := make([]float64, g.N()), g.In.Weights(weight)
	for v := range sums {
		for k := g.In.Offsets[v]; k < g.In.Offsets[v+1]; k++ {
			sums[v] += weights[k] * x[g.In.Neighbors[k]]
		}
	}
	return sums
}

// settle goes on from x as the parameters iterations and tolerance say. It tells whether that is where it settles, or
// as many iterations as were wanted.
func settle(args algorithms.Args, x []float64, step func([]float64) []float64,
	change func(a, b []float64) float64) (last []float64, settled bool) {
	p := argument.Iterate(args, &algorithms.Program{})
	for range p.MaxIterations {
		next := step(x)
		moved := change(x, next)
		if x = next; !p.Exactly && moved <= p.Tolerance {
			return x, true
		}
	}
	return x, p.Exactly || len(x) == 0
}
