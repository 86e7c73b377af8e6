package algorithms

import (
	"math"
	"slices"
)

// NumPaths counts the paths from the source:
//
//	paths(v) = [v = source] + Σ_{u→v} paths(u)
//
// (×,+) in the table of vertex programs, every weight 1. Parallel edges make different
// paths, and the empty path counts at the source. Where the source reaches a cycle there
// are infinitely many paths, which is a *DivergedError; `iterations` counts the walks of at
// most that many edges instead. Counts are doubles: exact up to 2^53.
var numPaths = &Algorithm{
	Name:    "num-paths",
	Summary: "number of paths from the source",
	Source:  "the CPU+NPU paper's table of vertex programs",
	Params:  []Param{sourceParam, boundParam("walks")},
	Result:  []Column{{Name: "paths", Type: Float}},
	Acyclic: true,
	Program: numPathsProgram,
	Oracle:  numPathsOracle,
	Verify:  verifyNumPaths,
}

const endlessPaths = "the source reaches a cycle, so there are infinitely many paths (or there are more than a double can count); give iterations to count walks of at most that many edges"

func numPathsProgram(args Args) (*Program, error) {
	return args.bounded(&Program{
		Name: "num-paths",
		State: []State{{Name: "paths", Type: Float,
			Init:  Expr{Source: "id == source ? 1.0 : 0.0"},
			Apply: Expr{Source: "(self.id == source ? 1.0 : 0.0) + acc"},
		}},
		Process:   Expr{Source: "src.paths"},
		Reduce:    Sum,
		Edges:     Forward,
		Activity:  Always,
		Norm:      LInf, // with tolerance 0: until nothing changes
		Order:     Synchronous,
		Diverged:  endlessPaths,
		Finite:    true,
		Constants: []Constant{args.source()},
	}), nil
}

// numPathsOracle sums up the walks of exactly 0, 1, 2 … edges, until there are none. On
// n vertices a walk of n edges has run into a cycle.
func numPathsOracle(g *Graph, args Args) ([]Values, error) {
	source, err := args.start(g)
	if err != nil {
		return nil, err
	}
	bound, bounded := args.Ints["iterations"]
	if !bounded {
		bound = int64(g.N())
	}
	walks := make([]float64, g.N())
	walks[source] = 1
	total := slices.Clone(walks)
	for range bound {
		walks = extendWalks(g, walks)
		for v := range total {
			total[v] += walks[v]
		}
	}
	if !bounded && (slices.Max(walks) > 0 || math.IsInf(slices.Max(total), 1)) {
		return nil, &DivergedError{Program: "num-paths", Iterations: g.N(), Meaning: endlessPaths}
	}
	return finite("num-paths", floatResult("paths", total))
}

// extendWalks counts the walks that are one edge longer than those counted by walks.
func extendWalks(g *Graph, walks []float64) []float64 {
	longer := make([]float64, g.N())
	for v := range longer {
		for _, u := range g.In.Of(v) {
			longer[v] += walks[u]
		}
	}
	return longer
}

// verifyNumPaths checks that the counts satisfy their own equation, which on an acyclic
// part of a graph has one solution. Counts of bounded walks are compared with the oracle's.
func verifyNumPaths(g *Graph, args Args, result []Values) error {
	got, err := sole(g, result, Float)
	if err != nil {
		return err
	}
	source, err := args.start(g)
	if err != nil {
		return err
	}
	if _, bounded := args.Ints["iterations"]; bounded {
		want, err := numPathsOracle(g, args)
		if err != nil {
			return err
		}
		return matches(g, got, want[0])
	}
	want := extendWalks(g, got.Floats)
	want[source]++
	if err := matches(g, got, floatResult("paths", want)[0]); err != nil {
		return err
	}
	return verifyReach(g, source, func(v int) bool { return got.Floats[v] > 0 })
}
