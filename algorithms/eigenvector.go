package algorithms

import (
	"fmt"
	"math"
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
var eigenvector = &Algorithm{
	Name:    "eigenvector",
	Aliases: []string{"eigenvector-centrality"},
	Summary: "eigenvector centrality: edges from central vertices make central",
	Source:  "Bonacich 1987",
	Params: []Param{exactIterationsParam(), toleranceParam("largest"), ownWeightParam("how much an edge passes on"),
		{Name: "sourceNodes", Type: ParamVertices, Optional: true,
			Doc: "the vertices that centrality begins at, 100 at most; without it, all"}},
	Derive: fewSources("eigenvector"),
	Result: []Column{{Name: "centrality", Type: Float}},
	Yield:  "score",
	Program: func(args Args) (*Program, error) {
		message := "src.centrality"
		if args.Strings["weight"] != "" {
			message += " * " + args.weight()
		}
		return args.iterate(&Program{
			Name: "eigenvector",
			State: []State{{Name: "centrality", Type: Float, Init: Expr{Source: args.unit()},
				Apply: Expr{Source: "agg.square > 0.0 && agg.square < inf ? (self.centrality + acc) / sqrt(agg.square) : agg.square"}}},
			Process: Expr{Source: message}, Reduce: Sum, Edges: Forward, Activity: Always, Norm: LInf, Order: Synchronous,
			Aggregates: []Aggregate{{Name: "square", Expr: Expr{Source: "self.centrality * self.centrality"}}},
			Finite:     true,
		}), nil
	},
	Finish: func(result []Values) { scale(result[0].Floats) },
	Oracle: eigenvectorOracle,
	Verify: again(eigenvectorOracle),
}

// unit is what a vertex begins with, of a vector of length 1, as an expression.
func (a Args) unit() string {
	sources := a.Vertices["sourceNodes"]
	if len(sources) == 0 {
		return "1.0 / sqrt(double(n))"
	}
	return fmt.Sprintf("%s ? 1.0 / sqrt(%d.0) : 0.0", amongIDs(sources), len(sources))
}

// again verifies by the oracle: after so many iterations values need have no property of their own.
func again(oracle func(*Graph, Args) ([]Values, error)) func(*Graph, Args, []Values) error {
	return func(g *Graph, args Args, result []Values) error {
		got, err := sole(g, result, Float)
		if err != nil {
			return err
		}
		want, err := oracle(g, args)
		if err != nil {
			return err
		}
		return matches(g, got, want[0])
	}
}

// scale makes x a vector of length 1, unless it is 0.
func scale(x []float64) {
	if length := norm(x); length > 0 {
		for v := range x {
			x[v] /= length
		}
	}
}

func norm(x []float64) float64 {
	square := 0.0
	for _, value := range x {
		square += value * value
	}
	return math.Sqrt(square)
}

func eigenvectorOracle(g *Graph, args Args) ([]Values, error) {
	sources, err := sourceNodes(g, args)
	if err != nil {
		return nil, err
	}
	x := make([]float64, g.N())
	for _, v := range sources {
		x[v] = 1 / math.Sqrt(float64(len(sources)))
	}
	x, _ = args.settle(x, func(x []float64) []float64 {
		next, length := pulled(g, x, args.Strings["weight"]), norm(x)
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
	scale(x)
	return finite("eigenvector", floatResult("centrality", x))
}

// pulled is the sum of what in-neighbors have, times weights.
func pulled(g *Graph, x []float64, weight string) []float64 {
	sums, weights := make([]float64, g.N()), g.In.weights(weight)
	for v := range sums {
		for k := g.In.Offsets[v]; k < g.In.Offsets[v+1]; k++ {
			sums[v] += weights[k] * x[g.In.Neighbors[k]]
		}
	}
	return sums
}

// settle goes on from x as the parameters iterations and tolerance say. It tells whether that is where it settles, or
// as many iterations as were wanted.
func (a Args) settle(x []float64, step func([]float64) []float64,
	change func(a, b []float64) float64) (last []float64, settled bool) {
	p := a.iterate(&Program{})
	for range p.MaxIterations {
		next := step(x)
		moved := change(x, next)
		if x = next; !p.Exactly && moved <= p.Tolerance {
			return x, true
		}
	}
	return x, p.Exactly || len(x) == 0
}
