package centrality

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/param"
)

// Degree is the number of edges that lead out of a vertex, or the sum of their weights; of those that lead in with
// orientation=reverse, and both together with undirected. Parallel edges count each. In an undirected graph all three
// are the edges at a vertex, and a loop counts once. O(m). Freeman, "Centrality in social networks", 1979.
var Degree = &algorithms.Algorithm{
	Name:    "degree",
	Aliases: []string{"degree-centrality"},
	Summary: "edges at each vertex, or the sum of their weights",
	Source:  "Freeman 1979",
	Params: []algorithms.Param{
		param.Orientation("which edges count: natural, those that lead out; reverse, those that lead in; undirected, both"),
		param.OwnWeight("what an edge counts"),
	},
	Result: []algorithms.Column{{Name: "degree", Type: algorithms.Float}},
	Yield:  "score",
	Program: func(args algorithms.Args) (*algorithms.Program, error) {
		message := "src.degree" // each vertex has 1, and passes it on: once
		if args.Strings["weight"] != "" {
			message += " * " + argument.Weight(args)
		}
		return &algorithms.Program{
			Name: "degree",
			State: []algorithms.State{{Name: "degree", Type: algorithms.Float, Init: algorithms.Expr{Source: "1.0"},
				Apply: algorithms.Expr{Source: "acc"}}},
			Process: algorithms.Expr{Source: message}, Reduce: algorithms.Sum, Edges: degreeEdges(args),
			Activity: algorithms.Always, Order: algorithms.Synchronous,
			MaxIterations: 1, Exactly: true, Finite: true,
		}, nil
	},
	Oracle: func(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
		return answer.Finite("degree", answer.Floats("degree", degrees(g, args)))
	},
	Verify: verifyDegree,
}

// degreeEdges are the edges along which weights come to the vertex that they count for.
func degreeEdges(args algorithms.Args) algorithms.Edges {
	switch args.Strings["orientation"] {
	case param.Reverse:
		return algorithms.Forward
	case param.Undirected:
		return algorithms.BothSides
	}
	return algorithms.Backward
}

// degrees adds up lists.
func degrees(g *algorithms.Graph, args algorithms.Args) []float64 {
	sums := make([]float64, g.N())
	add := func(l algorithms.Lists) {
		weights := l.Weights(args.Strings["weight"])
		for v := range sums {
			for k := l.Offsets[v]; k < l.Offsets[v+1]; k++ {
				sums[v] += weights[k]
			}
		}
	}
	if edges := degreeEdges(args); edges != algorithms.Forward {
		add(g.Out)
	}
	if edges := degreeEdges(args); edges == algorithms.Forward || edges == algorithms.BothSides && g.Directed {
		add(g.In)
	}
	return sums
}

// verifyDegree counts from the other ends of edges.
func verifyDegree(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	got, err := answer.Sole(g, result, algorithms.Float)
	if err != nil {
		return err
	}
	sums := make([]float64, g.N())
	scatter := func(l algorithms.Lists) {
		for k, w := range l.Weights(args.Strings["weight"]) {
			sums[l.Neighbors[k]] += w
		}
	}
	if edges := degreeEdges(args); edges != algorithms.Forward {
		scatter(g.In)
	}
	if edges := degreeEdges(args); edges == algorithms.Forward || edges == algorithms.BothSides && g.Directed {
		scatter(g.Out)
	}
	return answer.Matches(g, got, answer.Floats("degree", sums)[0])
}
