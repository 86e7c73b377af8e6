package paths

import (
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/param"
)

// NumPaths counts the paths from the source:
//
//	paths(v) = [v = source] + Σ_{u→v} paths(u)
//
// (×,+) in the table of vertex programs, every weight 1. Parallel edges make different
// paths, and the empty path counts at the source. Where the source reaches a cycle there
// are infinitely many paths, which is a *DivergedError; `iterations` counts the walks of at
// most that many edges instead. Counts are doubles: exact up to 2^53.
var NumPaths = &algorithms.Algorithm{
	Name:    "num-paths",
	Summary: "number of paths from the source",
	Source:  "the CPU+NPU paper's table of vertex programs",
	Params:  []algorithms.Param{param.Source, param.Bound("walks")},
	Result:  []algorithms.Column{{Name: "paths", Type: algorithms.Float}},
	Acyclic: true,
	Program: numPathsProgram,
	Oracle:  numPathsOracle,
	Verify:  verifyNumPaths,
}

const endlessPaths = "the source reaches a cycle, so there are infinitely many paths (or there are more than a double can count); give iterations to count walks of at most that many edges"

func numPathsProgram(args algorithms.Args) (*algorithms.Program, error) {
	return argument.Bounded(args, &algorithms.Program{
		Name: "num-paths",
		State: []algorithms.State{{Name: "paths", Type: algorithms.Float,
			Init:  algorithms.Expr{Source: "id == source ? 1.0 : 0.0"},
			Apply: algorithms.Expr{Source: "(self.id == source ? 1.0 : 0.0) + acc"},
		}},
		Process:   algorithms.Expr{Source: "src.paths"},
		Reduce:    algorithms.Sum,
		Edges:     algorithms.Forward,
		Activity:  algorithms.Always,
		Norm:      algorithms.LInf, // with tolerance 0: until nothing changes
		Order:     algorithms.Synchronous,
		Diverged:  endlessPaths,
		Finite:    true,
		Constants: []algorithms.Constant{argument.Source(args)},
	}), nil
}

// numPathsOracle sums up the walks of exactly 0, 1, 2 … edges, until there are none. On
// n vertices a walk of n edges has run into a cycle.
func numPathsOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	source, err := argument.Start(g, args)
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
		return nil, &algorithms.DivergedError{Program: "num-paths", Iterations: g.N(), Meaning: endlessPaths}
	}
	return answer.Finite("num-paths", answer.Floats("paths", total))
}

// extendWalks counts the walks that are one edge longer than those counted by walks.
func extendWalks(g *algorithms.Graph, walks []float64) []float64 {
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
func verifyNumPaths(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	got, err := answer.Sole(g, result, algorithms.Float)
	if err != nil {
		return err
	}
	source, err := argument.Start(g, args)
	if err != nil {
		return err
	}
	if _, bounded := args.Ints["iterations"]; bounded {
		want, err := numPathsOracle(g, args)
		if err != nil {
			return err
		}
		return answer.Matches(g, got, want[0])
	}
	want := extendWalks(g, got.Floats)
	want[source]++
	if err := answer.Matches(g, got, answer.Floats("paths", want)[0]); err != nil {
		return err
	}
	return verifyReach(g, source, func(v int) bool { return got.Floats[v] > 0 })
}
