package centrality

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/param"
)

// PersonalizedPageRank is PageRank of a walk that always jumps back to the same vertex, the source s:
//
//	PPR₀(v) = [v = s]
//	PPRₖ(v) = d·Σ_{u→v} PPRₖ₋₁(u)/out_degree(u) + [v = s]·(1-d + d·Σ_{w dangling} PPRₖ₋₁(w))
//
// so that ranks tell how near a vertex is to s. Σ PPR = 1. Page et al. 1999, section 6; Haveliwala,
// "Topic-Sensitive PageRank", WWW 2002, of one vertex; where there is no out-edge the walk begins again, as
// in NetworkX.
var PersonalizedPageRank = &algorithms.Algorithm{
	Name:    "personalized-pagerank",
	Aliases: []string{"ppr"},
	Summary: "personalized PageRank: how often a random walk from the source comes by",
	Source:  "Page et al. 1999, 6; Haveliwala, WWW 2002",
	Params: []algorithms.Param{
		{Name: "source", Type: algorithms.ParamVertex, Doc: "the vertex that walks begin at"},
		{Name: "damping", Type: algorithms.ParamFloat, Default: "0.85", Max: 1, Doc: "probability of following an edge"},
		param.ExactIterations(),
		param.Tolerance("total"),
		param.Precision(),
	},
	Result:  []algorithms.Column{{Name: "rank", Type: algorithms.Float}},
	Yield:   "score",
	Program: personalizedPageRankProgram,
	Oracle:  personalizedPageRankOracle,
	Verify:  verifyPersonalizedPageRank,
}

func personalizedPageRankProgram(args algorithms.Args) (*algorithms.Program, error) {
	return argument.Iterate(args, &algorithms.Program{
		Name: "personalized-pagerank",
		State: []algorithms.State{{Name: "rank", Type: algorithms.Float,
			Init:  algorithms.Expr{Source: "id == source ? 1.0 : 0.0"},
			Apply: algorithms.Expr{Source: "damping * acc + (self.id == source ? 1.0 - damping + damping * agg.dangling : 0.0)"},
		}},
		Process:  algorithms.Expr{Source: argument.Rounded(args, "src.rank / double(src.out_degree)")},
		Reduce:   algorithms.Sum,
		Edges:    algorithms.Forward,
		Activity: algorithms.Always,
		Norm:     algorithms.L1,
		Order:    algorithms.Synchronous,
		Aggregates: []algorithms.Aggregate{{Name: "dangling",
			Expr: algorithms.Expr{Source: "self.out_degree == 0 ? self.rank : 0.0"}}},
		Constants: []algorithms.Constant{argument.Source(args), argument.Float(args, "damping")},
	}), nil
}

func personalizedPageRankOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	jump, err := toSource(g, args)
	if err != nil {
		return nil, err
	}
	return answer.Floats("rank", ranks(g, args, jump)), nil
}

// toSource is where walks begin: at the source.
func toSource(g *algorithms.Graph, args algorithms.Args) ([]float64, error) {
	source, err := argument.Start(g, args)
	if err != nil {
		return nil, err
	}
	jump := make([]float64, g.N())
	jump[source] = 1
	return jump, nil
}

func verifyPersonalizedPageRank(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	jump, err := toSource(g, args)
	if err != nil {
		return err
	}
	return verifyRanks(g, args, jump, result)
}
