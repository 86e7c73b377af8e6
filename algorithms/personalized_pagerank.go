package algorithms

// PersonalizedPageRank is PageRank of a walk that always jumps back to the same vertex, the source s:
//
//	PPR₀(v) = [v = s]
//	PPRₖ(v) = d·Σ_{u→v} PPRₖ₋₁(u)/out_degree(u) + [v = s]·(1-d + d·Σ_{w dangling} PPRₖ₋₁(w))
//
// so that ranks tell how near a vertex is to s. Σ PPR = 1. Page et al. 1999, section 6; Haveliwala,
// "Topic-Sensitive PageRank", WWW 2002, of one vertex; where there is no out-edge the walk begins again, as
// in NetworkX.
var personalizedPageRank = &Algorithm{
	Name:    "personalized-pagerank",
	Aliases: []string{"ppr"},
	Summary: "personalized PageRank: how often a random walk from the source comes by",
	Source:  "Page et al. 1999, 6; Haveliwala, WWW 2002",
	Params: []Param{
		{Name: "source", Type: ParamVertex, Doc: "the vertex that walks begin at"},
		{Name: "damping", Type: ParamFloat, Default: "0.85", Max: 1, Doc: "probability of following an edge"},
		exactIterationsParam(),
		toleranceParam("total"),
		precisionParam(),
	},
	Result:  []Column{{Name: "rank", Type: Float}},
	Yield:   "score",
	Program: personalizedPageRankProgram,
	Oracle:  personalizedPageRankOracle,
	Verify:  verifyPersonalizedPageRank,
}

func personalizedPageRankProgram(args Args) (*Program, error) {
	return args.iterate(&Program{
		Name: "personalized-pagerank",
		State: []State{{Name: "rank", Type: Float,
			Init:  Expr{Source: "id == source ? 1.0 : 0.0"},
			Apply: Expr{Source: "damping * acc + (self.id == source ? 1.0 - damping + damping * agg.dangling : 0.0)"},
		}},
		Process:    Expr{Source: args.rounded("src.rank / double(src.out_degree)")},
		Reduce:     Sum,
		Edges:      Forward,
		Activity:   Always,
		Norm:       L1,
		Order:      Synchronous,
		Aggregates: []Aggregate{{Name: "dangling", Expr: Expr{Source: "self.out_degree == 0 ? self.rank : 0.0"}}},
		Constants:  []Constant{args.source(), args.float("damping")},
	}), nil
}

func personalizedPageRankOracle(g *Graph, args Args) ([]Values, error) {
	jump, err := toSource(g, args)
	if err != nil {
		return nil, err
	}
	return floatResult("rank", ranks(g, args, jump)), nil
}

// toSource is where walks begin: at the source.
func toSource(g *Graph, args Args) ([]float64, error) {
	source, err := args.start(g)
	if err != nil {
		return nil, err
	}
	jump := make([]float64, g.N())
	jump[source] = 1
	return jump, nil
}

func verifyPersonalizedPageRank(g *Graph, args Args, result []Values) error {
	jump, err := toSource(g, args)
	if err != nil {
		return err
	}
	return verifyRanks(g, args, jump, result)
}
