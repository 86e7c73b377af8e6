package engine

import (
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers/bfs"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers/components"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers/deltastepping"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers/incremental"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers/topological"
)

// maxShort is the most vertices that a uint32 can number, as solvers do.
const maxShort = 1 << 32

// chooseSolvers finds the solvers of a program, one to be asked after the other: each answers nil
// to a program that is not of its shape. Solvers have state that is not in columns, of all
// vertices and edges: a part or a share has none, but for those that shares join.
func chooseSolvers(p *solvers.Problem) (chosen []solvers.Solver) {
	if p.Graph.Vertices > maxShort || p.Mode.Partial || p.Mode.Intervals {
		return nil
	}
	if p.Frontier.Share != nil {
		for _, find := range []func(*solvers.Problem) solvers.Solver{components.NewJoining, bfs.NewJoining} {
			if s := find(p); s != nil {
				return asked(p, s)
			}
		}
		return nil
	}
	if s := components.New(p); s != nil {
		return asked(p, s)
	}
	if p.Mode.Settling {
		return nil
	}
	// A topological order comes before levels: where edges gain, each level would improve the one before it.
	for _, find := range []func(*solvers.Problem) solvers.Solver{deltastepping.New, topological.New, bfs.New,
		topological.NewSums, incremental.New} {
		if s := find(p); s != nil {
			chosen = append(chosen, asked(p, s)...)
		}
	}
	return chosen
}

// asked is s, unless iterations leave nothing behind but state, and it does not do them.
func asked(p *solvers.Problem, s solvers.Solver) []solvers.Solver {
	if _, steps := s.(solvers.Stepper); !steps && p.Mode.Restorable && !p.Mode.Settling {
		return nil
	}
	return []solvers.Solver{s}
}
