package centrality

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/param"
	"github.com/penstock-db/penstock/algorithms/internal/position"
)

// UnscaledPageRank is PageRank as it was first published: ranks are not scaled, and what arrives at a vertex without
// out-edges goes no further.
//
//	PR₀(v) = 0,   PRₖ(v) = (1-d)·[v ∈ S] + d·Σ_{u→v} PRₖ₋₁(u) / out_degree(u)
//
// By `weight` w(u,v)/Σ_{u→x} w(u,x) takes the place of 1/out_degree(u); weights below 0 count nothing.
//
// S are sourceNodes, or all vertices. Ranks sum up to |S| at most; they do where every vertex has an out-edge, and are
// then |S| times those of a walk that begins at S. As in Neo4j GDS. O(m) an iteration. Brin and Page, "The anatomy of a
// large-scale hypertextual web search engine", 1998, section 2.1.1.
var UnscaledPageRank = &algorithms.Algorithm{
	Name:    "unscaled-pagerank",
	Summary: "PageRank that is not scaled, and that vertices without out-edges pass nothing on of",
	Source:  "Brin and Page 1998, 2.1.1",
	Params:  unscaledParams(),
	Derive:  fewSources("unscaled-pagerank"),
	Result:  []algorithms.Column{{Name: "rank", Type: algorithms.Float}},
	Yield:   "score",
	Program: func(args algorithms.Args) (*algorithms.Program, error) {
		base, state := jump(args)
		return weighted(args, argument.Iterate(args, &algorithms.Program{
			Name: "unscaled-pagerank",
			State: append([]algorithms.State{{Name: "rank", Type: algorithms.Float, Init: algorithms.Expr{Source: "0.0"},
				Apply: algorithms.Expr{Source: base + " + damping * acc"}}}, state...),
			Process: algorithms.Expr{Source: divided(args, "rank")}, Reduce: algorithms.Sum, Edges: algorithms.Forward,
			Activity: algorithms.Always,
			Norm:     algorithms.L1, Order: algorithms.Synchronous, Constants: []algorithms.Constant{argument.Float(args,
				"damping")},
		})), nil
	},
	Oracle: unscaledPageRankOracle,
	Verify: answer.Again(unscaledPageRankOracle),
}

func unscaledPageRankOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	jump, err := jumps(g, args)
	if err != nil {
		return nil, err
	}
	by := divisionOf(g, args)
	ranks, _ := settle(args, make([]float64, g.N()), func(x []float64) []float64 {
		next := make([]float64, g.N())
		for v := range next {
			for k := g.In.Offsets[v]; k < g.In.Offsets[v+1]; k++ {
				u := g.In.Neighbors[k]
				next[v] += by.along(k, u, x[u])
			}
			next[v] = jump[v] + args.Floats["damping"]*next[v]
		}
		return next
	}, l1)
	return answer.Floats("rank", ranks), nil
}

// maxSourceNodes bounds the vertices that ranks may begin at: each is a term of an expression.
const maxSourceNodes = 100

// unscaledParams are those of ranks that are not scaled.
func unscaledParams() []algorithms.Param {
	return []algorithms.Param{
		{Name: "damping", Type: algorithms.ParamFloat, Default: "0.85", Max: 1, Doc: "share of what arrives"},
		{Name: "sourceNodes", Type: algorithms.ParamVertices, Optional: true,
			Doc: "the vertices that ranks begin at, 100 at most; without it, all"},
		param.ExactIterations(), param.Tolerance("total"), dividedParam(),
	}
}

// fewSources refuses more source nodes than there may be.
func fewSources(algorithm string) func(algorithms.Args) error {
	return func(args algorithms.Args) error {
		if count := len(args.Vertices["sourceNodes"]); count > maxSourceNodes {
			return &algorithms.ParamError{Algorithm: algorithm, Param: "sourceNodes",
				Message: fmt.Sprintf("that is %d vertices; expected %d at most", count, maxSourceNodes)}
		}
		return nil
	}
}

// jump is what a rank begins with, as an expression, and the state that it reads.
func jump(args algorithms.Args) (base string, state []algorithms.State) {
	sources := args.Vertices["sourceNodes"]
	if len(sources) == 0 {
		return "(1.0 - damping)", nil
	}
	begins := amongIDs(sources) + " ? 1.0 - damping : 0.0"
	return "self.jump", []algorithms.State{{Name: "jump", Type: algorithms.Float, Init: algorithms.Expr{Source: begins},
		Apply: algorithms.Expr{Source: "self.jump"}}}
}

// amongIDs tells, as an expression, whether a vertex is one of these.
func amongIDs(ids []int64) string {
	var terms []string
	for _, id := range ids {
		terms = append(terms, "id == "+strconv.FormatInt(id, 10))
	}
	return strings.Join(terms, " || ")
}

// sourceNodes are the positions of the vertices that are named; without any, of all.
func sourceNodes(g *algorithms.Graph, args algorithms.Args) ([]int, error) {
	named := args.Vertices["sourceNodes"]
	if len(named) == 0 {
		named = g.IDs
	}
	return position.Of(g.IDs, named)
}

// jumps is what the rank of each vertex begins with.
func jumps(g *algorithms.Graph, args algorithms.Args) ([]float64, error) {
	sources, err := sourceNodes(g, args)
	if err != nil {
		return nil, err
	}
	jump := make([]float64, g.N())
	for _, v := range sources {
		jump[v] = 1 - args.Floats["damping"]
	}
	return jump, nil
}
