package engine

import (
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers/bfs"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers/components"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers/deltastepping"
)

// maxShort is the most vertices that a uint32 can number, as solvers do.
const maxShort = 1 << 32

// chooseSolver finds the solver of a program, or nil: each answers nil to a program that is not
// of its shape. Solvers have state that is not in columns, of all vertices and edges: a
// part or a share has none.
func chooseSolver(p *solvers.Problem) solvers.Solver {
	choices := []func(*solvers.Problem) solvers.Solver{components.New, bfs.New, deltastepping.New}
	if p.Mode.Settling {
		choices = choices[:1]
	}
	if p.Graph.Vertices > maxShort || p.Mode.Partial || p.Frontier.Share != nil {
		return nil
	}
	for _, find := range choices {
		s := find(p)
		if s == nil {
			continue
		}
		if _, steps := s.(solvers.Stepper); !steps && p.Mode.Restorable && !p.Mode.Settling {
			return nil // it would never be asked
		}
		return s
	}
	return nil
}
