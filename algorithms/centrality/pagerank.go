package centrality

import (
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/param"
)

// PageRank is the stationary probability of a walk that follows a random out-edge with
// probability d and else, or where there is no out-edge, jumps to a random vertex:
//
//	PR₀(v) = 1/n
//	PRₖ(v) = (1-d)/n + d·Σ_{u→v} PRₖ₋₁(u)/out_degree(u) + d/n·Σ_{w dangling} PRₖ₋₁(w)
//
// By `weight` a vertex divides its rank in proportion to the weights of its out-edges, w(u,v)/Σ_{u→x} w(u,x) in place of
// 1/out_degree(u); those below 0 count nothing, and it dangles where that leaves none.
//
// Every iteration keeps Σ PR = 1. Page, Brin, Motwani, Winograd, "The PageRank Citation
// Ranking", 1999; the dangling term as in LDBC Graphalytics 1.0.1, section 2.3.2.
var PageRank = &algorithms.Algorithm{
	Name:    "pagerank",
	Aliases: []string{"pr"},
	Summary: "PageRank: how often a random walk comes by",
	Source:  "Page et al. 1999; LDBC Graphalytics 1.0.1, 2.3.2",
	Params: []algorithms.Param{
		{Name: "damping", Type: algorithms.ParamFloat, Default: "0.85", Max: 1, Doc: "probability of following an edge"},
		param.ExactIterations(),
		param.Tolerance("total"),
		param.Precision(),
		dividedParam(),
	},
	Result:  []algorithms.Column{{Name: "rank", Type: algorithms.Float}},
	Yield:   "score",
	Program: pageRankProgram,
	Oracle:  pageRankOracle,
	Verify:  verifyPageRank,
}

func pageRankProgram(args algorithms.Args) (*algorithms.Program, error) {
	return weighted(args, argument.Iterate(args, &algorithms.Program{
		Name: "pagerank",
		State: []algorithms.State{{Name: "rank", Type: algorithms.Float,
			Init:  algorithms.Expr{Source: "1.0 / double(n)"},
			Apply: algorithms.Expr{Source: "(1.0 - damping) / double(n) + damping * (acc + agg.dangling / double(n))"},
		}},
		Process:  algorithms.Expr{Source: argument.Rounded(args, divided(args, "rank"))},
		Reduce:   algorithms.Sum,
		Edges:    algorithms.Forward,
		Activity: algorithms.Always,
		Norm:     algorithms.L1,
		Order:    algorithms.Synchronous,
		Aggregates: []algorithms.Aggregate{{Name: "dangling",
			Expr: algorithms.Expr{Source: dangling(args) + " ? self.rank : 0.0"}}},
		Constants: []algorithms.Constant{argument.Float(args, "damping")},
	})), nil
}

func pageRankOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	return answer.Floats("rank", ranks(g, args, anywhere(g))), nil
}

// anywhere is where walks begin: at all vertices alike.
func anywhere(g *algorithms.Graph) []float64 {
	jump := make([]float64, g.N())
	for v := range jump {
		jump[v] = 1 / float64(g.N())
	}
	return jump
}

func verifyPageRank(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	return verifyRanks(g, args, anywhere(g), result)
}

// ranks is power iteration for exactly so many iterations, or until it settles.
func ranks(g *algorithms.Graph, args algorithms.Args, jump []float64) []float64 {
	p := argument.Iterate(args, &algorithms.Program{})
	if p.Exactly {
		p.Tolerance = -1 // no change is as small
	}
	return powerIteration(g, args, jump, p.MaxIterations, p.Tolerance)
}

// powerIteration pulls along in-edges until ranks change by no more than the tolerance
// together, or for so many iterations. A jump leads to v with probability jump[v].
func powerIteration(g *algorithms.Graph, args algorithms.Args, jump []float64, iterations int,
	tolerance float64) []float64 {
	rank, by := jump, divisionOf(g, args)
	for range iterations {
		next := pageRankStep(g, args, by, jump, rank)
		change := l1(rank, next)
		if rank = next; change <= tolerance {
			break
		}
	}
	return rank
}

func pageRankStep(g *algorithms.Graph, args algorithms.Args, by division, jump, rank []float64) []float64 {
	d, dangling := args.Floats["damping"], 0.0
	for v := range rank {
		if by.totals[v] == 0 {
			dangling += rank[v]
		}
	}
	next := make([]float64, g.N())
	for v := range next {
		sum := 0.0
		for k := g.In.Offsets[v]; k < g.In.Offsets[v+1]; k++ {
			u := g.In.Neighbors[k]
			sum += argument.Round(args, by.along(k, u, rank[u]))
		}
		next[v] = (1-d)*jump[v] + d*(sum+dangling*jump[v])
	}
	return next
}

func l1(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += math.Abs(a[i] - b[i])
	}
	return sum
}

// verifyRanks checks that the ranks are a probability distribution that one more step
// hardly moves: a step is a contraction by d, so it moves less than d times the last
// one did. Messages in single precision add at most 2⁻²⁴ of them to each step. Ranks after
// a given number of iterations are compared with the oracle's.
func verifyRanks(g *algorithms.Graph, args algorithms.Args, jump []float64, result []algorithms.Values) error {
	got, err := answer.Sole(g, result, algorithms.Float)
	if err != nil || g.N() == 0 {
		return err
	}
	if argument.Iterate(args, &algorithms.Program{}).Exactly {
		return answer.Matches(g, got, answer.Floats("rank", ranks(g, args, jump))[0])
	}
	sum, d := 0.0, args.Floats["damping"]
	for v, rank := range got.Floats {
		if !(rank >= (1-d)*jump[v]*(1-1e-9)) {
			return answer.WrongAt(g, v, "rank %v is below what jumps alone bring, %v", rank, (1-d)*jump[v])
		}
		sum += rank
	}
	rounding := 0.0
	if args.Strings["precision"] == param.InSingle {
		rounding = 0x1p-24
	}
	if !(math.Abs(sum-1) <= 1e-6+param.DefaultIterations*rounding) {
		return answer.Wrong("the ranks sum up to %v, not to 1", sum)
	}
	bound := d*max(args.Floats["tolerance"], 2*math.Pow(d, param.DefaultIterations)) + 2*rounding + 1e-12
	if moved := l1(got.Floats, pageRankStep(g, args, divisionOf(g, args), jump, got.Floats)); moved > bound {
		return answer.Wrong("one more iteration moves the ranks by %g, more than %g", moved, bound)
	}
	return nil
}
