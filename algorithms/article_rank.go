package algorithms

// ArticleRank is PageRank where edges from vertices of few edges count for less: what a vertex passes on is divided by
// its out-degree and the mean one.
//
//	AR₀(v) = 0,   ARₖ(v) = (1-d)·[v ∈ S] + d·Σ_{u→v} ARₖ₋₁(u) / (out_degree(u) + m/n)
//
// By `weight` it is AR(u)·w(u,v) / (Σ_{u→x} w(u,x) + m/n); weights below 0 count nothing.
//
// m is the sum of all out-degrees; S are sourceNodes, or all vertices. Ranks do not sum up to 1; as in Neo4j GDS. O(m)
// an iteration. Li and Willett, "ArticleRank: a PageRank-based alternative to numbers of citations", 2009.
var articleRank = &Algorithm{
	Name:    "article-rank",
	Aliases: []string{"articlerank"},
	Summary: "ArticleRank: PageRank in which vertices of few edges pass on less",
	Source:  "Li and Willett 2009",
	Params:  unscaledParams(),
	Derive:  fewSources("article-rank"),
	Result:  []Column{{Name: "rank", Type: Float}},
	Yield:   "score",
	Program: func(args Args) (*Program, error) {
		base, state := args.jump()
		rank, edges, message := "("+base+" + damping * acc)", "double(self.out_degree)", "src.sent"
		if args.Strings["weight"] != "" {
			edges, message = "self."+outWeight, message+" * "+args.counted()
		}
		return args.weighted(args.iterate(&Program{
			Name: "article-rank",
			State: append([]State{
				{Name: "rank", Type: Float, Init: Expr{Source: "0.0"}, Apply: Expr{Source: rank}},
				{Name: "sent", Type: Float, Init: Expr{Source: "0.0"}, Apply: Expr{Source: args.dangling() + " ? 0.0 : " + rank +
					" / (" + edges + " + agg.edges / double(n))"}},
			}, state...),
			Process: Expr{Source: message}, Reduce: Sum, Edges: Forward, Activity: Always, Norm: L1, Order: Synchronous,
			Aggregates: []Aggregate{{Name: "edges", Expr: Expr{Source: "double(self.out_degree)"}}},
			Constants:  []Constant{args.float("damping")},
		})), nil
	},
	Oracle: articleRankOracle,
	Verify: again(articleRankOracle),
}

func articleRankOracle(g *Graph, args Args) ([]Values, error) {
	jump, err := jumps(g, args)
	if err != nil {
		return nil, err
	}
	d, mean := args.Floats["damping"], float64(len(g.Out.Neighbors))/float64(max(g.N(), 1))
	by := g.division(args)
	ranks, _ := args.settle(make([]float64, g.N()), func(x []float64) []float64 {
		next := make([]float64, g.N())
		for v := range next {
			for k := g.In.Offsets[v]; k < g.In.Offsets[v+1]; k++ {
				u := g.In.Neighbors[k]
				next[v] += x[u] * max(by.weights[k], 0) / (by.totals[u] + mean)
			}
			next[v] = jump[v] + d*next[v]
		}
		return next
	}, l1)
	return floatResult("rank", ranks), nil
}
