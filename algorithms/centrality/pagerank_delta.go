package centrality

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
)

// PageRankDelta is PageRank as a sum of changes. A vertex passes on only what has reached it
// since it last did, and only when that is worth it, more than ε:
//
//	released(v) += pending(v), for which v sends d·pending(v)/out_degree(v), when pending(v) > ε
//
// so that fewer and fewer vertices send, and partial sums may be passed on in any order:
// Zhang et al., "Maiter", TPDS 2014; the form in which Subway (EuroSys'20, section 4.3)
// computes it. What is never passed on, together at most n·ε, is missing. A walk that ends where
// there is no out-edge is not carried on, which in the end takes the same share from all, since
// walks begin and go on everywhere alike: ranks are scaled to sum up to 1.
var PageRankDelta = &algorithms.Algorithm{
	Name:    "pagerank-delta",
	Aliases: []string{"pr-delta"},
	Summary: "PageRank by changes: fewer and fewer vertices send",
	Source:  "Zhang et al., TPDS 2014; Sabet et al., EuroSys 2020, 4.3",
	Params: []algorithms.Param{
		{Name: "damping", Type: algorithms.ParamFloat, Default: "0.85", Max: 0.99, Doc: "probability of following an edge"},
		{Name: "tolerance", Type: algorithms.ParamFloat, Default: "1e-4", Max: 1,
			Doc: "how far one more iteration would move all ranks together, at most"},
	},
	Result:      []algorithms.Column{{Name: "rank", Type: algorithms.Float}},
	Yield:       "score",
	Program:     pageRankDeltaProgram,
	Oracle:      pageRankDeltaOracle,
	Verify:      verifyPageRankDelta,
	Finish:      scaleToOne,
	Approximate: true,
}

func pageRankDeltaProgram(args algorithms.Args) (*algorithms.Program, error) {
	const pending = "(self.residual + acc)"
	const worth = pending + " * double(n) > tolerance * (1.0 - damping)"
	return &algorithms.Program{
		Name: "pagerank-delta",
		State: []algorithms.State{
			{Name: "rank", Type: algorithms.Float, Init: algorithms.Expr{Source: "(1.0 - damping) / double(n)"},
				Apply: algorithms.Expr{Source: worth + " ? self.rank + " + pending + " : self.rank"}},
			{Name: "residual", Type: algorithms.Float, Init: algorithms.Expr{Source: "0.0"},
				Apply: algorithms.Expr{Source: worth + " ? 0.0 : " + pending}},
			{Name: "delta", Type: algorithms.Float, Init: algorithms.Expr{Source: "(1.0 - damping) / double(n)"},
				Apply: algorithms.Expr{Source: worth + " ? " + pending + " : 0.0"}},
		},
		Process:  algorithms.Expr{Source: "damping * src.delta / double(src.out_degree)"},
		Reduce:   algorithms.Sum,
		Edges:    algorithms.Forward,
		Activity: algorithms.Changed,
		Order:    algorithms.Accumulative,
		// What is under way shrinks by the damping each time, so this is never reached.
		MaxIterations: 10_000,
		Constants:     []algorithms.Constant{argument.Float(args, "damping"), argument.Float(args, "tolerance")},
	}, nil
}

// scaleToOne makes the values of the first column sum up to 1.
func scaleToOne(columns []algorithms.Values) {
	sum, values := 0.0, columns[0].Floats
	for _, x := range values {
		sum += x
	}
	for v := range values {
		values[v] /= sum
	}
}

// pageRankDeltaOracle is power iteration, until nothing moves that the tolerance would tell.
func pageRankDeltaOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	return answer.Floats("rank", powerIteration(g, args, anywhere(g), 10_000, args.Floats["tolerance"]/16)),
		nil
}

// verifyPageRankDelta checks that the ranks are a probability distribution that one more
// iteration moves by no more than the tolerance.
func verifyPageRankDelta(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	got, err := answer.Sole(g, result, algorithms.Float)
	if err != nil || g.N() == 0 {
		return err
	}
	sum := 0.0
	for v, rank := range got.Floats {
		if !(rank > 0) && args.Floats["damping"] < 1 {
			return answer.WrongAt(g, v, "rank %v is not above 0", rank)
		}
		sum += rank
	}
	if !(sum > 1-1e-6 && sum < 1+1e-6) {
		return answer.Wrong("the ranks sum up to %v, not to 1", sum)
	}
	if moved := l1(got.Floats, pageRankStep(g, args, divisionOf(g, args), anywhere(g),
		got.Floats)); moved > args.Floats["tolerance"]+1e-12 {
		return answer.Wrong("one more iteration moves the ranks by %g, more than %g", moved, args.Floats["tolerance"])
	}
	return nil
}
