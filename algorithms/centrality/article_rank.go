package centrality

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
)

// ArticleRank is PageRank where edges from vertices of few edges count for less: what a vertex passes on is divided by
// its out-degree and the mean one.
//
//	AR₀(v) = 0,   ARₖ(v) = (1-d)·[v ∈ S] + d·Σ_{u→v} ARₖ₋₁(u) / (out_degree(u) + m/n)
//
// By `weight` it is AR(u)·w(u,v) / (Σ_{u→x} w(u,x) + m/n); weights below 0 count nothing.
//
// m is the sum of all out-degrees; S are sourceNodes, or all vertices. Ranks do not sum up to 1; as in Neo4j GDS. O(m)
// an iteration. Li and Willett, "ArticleRank: a PageRank-based alternative to numbers of citations", 2009.
var ArticleRank = &algorithms.Algorithm{
	Name:    "article-rank",
	Aliases: []string{"articlerank"},
	Summary: "ArticleRank: PageRank in which vertices of few edges pass on less",
	Source:  "Li and Willett 2009",
	Params:  unscaledParams(),
	Derive:  fewSources("article-rank"),
	Result:  []algorithms.Column{{Name: "rank", Type: algorithms.Float}},
	Yield:   "score",
	Program: func(args algorithms.Args) (*algorithms.Program, error) {
		base, state := jump(args)
		rank, edges, message := "("+base+" + damping * acc)", "double(self.out_degree)", "src.sent"
		if args.Strings["weight"] != "" {
			edges, message = "self."+outWeight, message+" * "+counted(args)
		}
		return weighted(args, argument.Iterate(args, &algorithms.Program{
			Name: "article-rank",
			State: append([]algorithms.State{
				{Name: "rank", Type: algorithms.Float, Init: algorithms.Expr{Source: "0.0"}, Apply: algorithms.Expr{Source: rank}},
				{Name: "sent", Type: algorithms.Float, Init: algorithms.Expr{Source: "0.0"},
					Apply: algorithms.Expr{Source: dangling(args) + " ? 0.0 : " + rank +
						" / (" + edges + " + agg.edges / double(n))"}},
			}, state...),
			Process: algorithms.Expr{Source: message}, Reduce: algorithms.Sum, Edges: algorithms.Forward,
			Activity: algorithms.Always, Norm: algorithms.L1, Order: algorithms.Synchronous,
			Aggregates: []algorithms.Aggregate{{Name: "edges", Expr: algorithms.Expr{Source: "double(self.out_degree)"}}},
			Constants:  []algorithms.Constant{argument.Float(args, "damping")},
		})), nil
	},
	Oracle: articleRankOracle,
	Verify: answer.Again(articleRankOracle),
}

func articleRankOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	jump, err := jumps(g, args)
	if err != nil {
		return nil, err
	}
	d, mean := args.Floats["damping"], float64(len(g.Out.Neighbors))/float64(max(g.N(), 1))
	by := divisionOf(g, args)
	ranks, _ := settle(args, make([]float64, g.N()), func(x []float64) []float64 {
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
	return answer.Floats("rank", ranks), nil
}
