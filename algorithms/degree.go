package algorithms

// The values of the parameter orientation.
const natural, reverse, undirected = "natural", "reverse", "undirected"

// Degree is the number of edges that lead out of a vertex, or the sum of their weights; of those that lead in with
// orientation=reverse, and both together with undirected. Parallel edges count each. In an undirected graph all three
// are the edges at a vertex, and a loop counts once. O(m). Freeman, "Centrality in social networks", 1979.
var degree = &Algorithm{
	Name:    "degree",
	Aliases: []string{"degree-centrality"},
	Summary: "edges at each vertex, or the sum of their weights",
	Source:  "Freeman 1979",
	Params: []Param{
		orientationParam("which edges count: natural, those that lead out; reverse, those that lead in; undirected, both"),
		ownWeightParam("what an edge counts"),
	},
	Result: []Column{{Name: "degree", Type: Float}},
	Yield:  "score",
	Program: func(args Args) (*Program, error) {
		message := "src.degree" // each vertex has 1, and passes it on: once
		if args.Strings["weight"] != "" {
			message += " * " + args.weight()
		}
		return &Program{
			Name:    "degree",
			State:   []State{{Name: "degree", Type: Float, Init: Expr{Source: "1.0"}, Apply: Expr{Source: "acc"}}},
			Process: Expr{Source: message}, Reduce: Sum, Edges: degreeEdges(args), Activity: Always, Order: Synchronous,
			MaxIterations: 1, Exactly: true, Finite: true,
		}, nil
	},
	Oracle: func(g *Graph, args Args) ([]Values, error) {
		return finite("degree", floatResult("degree", degrees(g, args)))
	},
	Verify: verifyDegree,
}

// ownWeightParam is a weight that counts only when it is named.
func ownWeightParam(doc string) Param {
	return Param{Name: "weight", Type: ParamProperty, Optional: true,
		Doc: doc + ": a numeric edge property; without it, every edge counts 1"}
}

func orientationParam(doc string) Param {
	return Param{Name: "orientation", Type: ParamChoice, Choices: []string{natural, reverse, undirected}, Default: natural,
		Doc: doc}
}

// degreeEdges are the edges along which weights come to the vertex that they count for.
func degreeEdges(args Args) Edges {
	switch args.Strings["orientation"] {
	case reverse:
		return Forward
	case undirected:
		return BothSides
	}
	return Backward
}

// degrees adds up lists.
func degrees(g *Graph, args Args) []float64 {
	sums := make([]float64, g.N())
	add := func(l Lists) {
		weights := l.weights(args.Strings["weight"])
		for v := range sums {
			for k := l.Offsets[v]; k < l.Offsets[v+1]; k++ {
				sums[v] += weights[k]
			}
		}
	}
	if edges := degreeEdges(args); edges != Forward {
		add(g.Out)
	}
	if edges := degreeEdges(args); edges == Forward || edges == BothSides && g.Directed {
		add(g.In)
	}
	return sums
}

// verifyDegree counts from the other ends of edges.
func verifyDegree(g *Graph, args Args, result []Values) error {
	got, err := sole(g, result, Float)
	if err != nil {
		return err
	}
	sums := make([]float64, g.N())
	scatter := func(l Lists) {
		for k, w := range l.weights(args.Strings["weight"]) {
			sums[l.Neighbors[k]] += w
		}
	}
	if edges := degreeEdges(args); edges != Forward {
		scatter(g.In)
	}
	if edges := degreeEdges(args); edges == Forward || edges == BothSides && g.Directed {
		scatter(g.Out)
	}
	return matches(g, got, floatResult("degree", sums)[0])
}
