package algorithms

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
var pageRankDelta = &Algorithm{
	Name:    "pagerank-delta",
	Aliases: []string{"pr-delta"},
	Summary: "PageRank by changes: fewer and fewer vertices send",
	Source:  "Zhang et al., TPDS 2014; Sabet et al., EuroSys 2020, 4.3",
	Params: []Param{
		{Name: "damping", Type: ParamFloat, Default: "0.85", Max: 0.99, Doc: "probability of following an edge"},
		{Name: "tolerance", Type: ParamFloat, Default: "1e-4", Max: 1,
			Doc: "how far one more iteration would move all ranks together, at most"},
	},
	Result:      []Column{{Name: "rank", Type: Float}},
	Yield:       "score",
	Program:     pageRankDeltaProgram,
	Oracle:      pageRankDeltaOracle,
	Verify:      verifyPageRankDelta,
	Finish:      scaleToOne,
	Approximate: true,
}

func pageRankDeltaProgram(args Args) (*Program, error) {
	const pending = "(self.residual + acc)"
	const worth = pending + " * double(n) > tolerance * (1.0 - damping)"
	return &Program{
		Name: "pagerank-delta",
		State: []State{
			{Name: "rank", Type: Float, Init: Expr{Source: "(1.0 - damping) / double(n)"},
				Apply: Expr{Source: worth + " ? self.rank + " + pending + " : self.rank"}},
			{Name: "residual", Type: Float, Init: Expr{Source: "0.0"},
				Apply: Expr{Source: worth + " ? 0.0 : " + pending}},
			{Name: "delta", Type: Float, Init: Expr{Source: "(1.0 - damping) / double(n)"},
				Apply: Expr{Source: worth + " ? " + pending + " : 0.0"}},
		},
		Process:  Expr{Source: "damping * src.delta / double(src.out_degree)"},
		Reduce:   Sum,
		Edges:    Forward,
		Activity: Changed,
		Order:    Accumulative,
		// What is under way shrinks by the damping each time, so this is never reached.
		MaxIterations: 10_000,
		Constants:     []Constant{args.float("damping"), args.float("tolerance")},
	}, nil
}

// scaleToOne makes the values of the first column sum up to 1.
func scaleToOne(columns []Values) {
	sum, values := 0.0, columns[0].Floats
	for _, x := range values {
		sum += x
	}
	for v := range values {
		values[v] /= sum
	}
}

// pageRankDeltaOracle is power iteration, until nothing moves that the tolerance would tell.
func pageRankDeltaOracle(g *Graph, args Args) ([]Values, error) {
	return floatResult("rank", powerIteration(g, args, anywhere(g), 10_000, args.Floats["tolerance"]/16)),
		nil
}

// verifyPageRankDelta checks that the ranks are a probability distribution that one more
// iteration moves by no more than the tolerance.
func verifyPageRankDelta(g *Graph, args Args, result []Values) error {
	got, err := sole(g, result, Float)
	if err != nil || g.N() == 0 {
		return err
	}
	sum := 0.0
	for v, rank := range got.Floats {
		if !(rank > 0) && args.Floats["damping"] < 1 {
			return wrongAt(g, v, "rank %v is not above 0", rank)
		}
		sum += rank
	}
	if !(sum > 1-1e-6 && sum < 1+1e-6) {
		return wrong("the ranks sum up to %v, not to 1", sum)
	}
	if moved := l1(got.Floats, pageRankStep(g, args, g.division(args), anywhere(g), got.Floats)); moved > args.Floats["tolerance"]+1e-12 {
		return wrong("one more iteration moves the ranks by %g, more than %g", moved, args.Floats["tolerance"])
	}
	return nil
}
