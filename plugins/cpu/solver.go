package cpu

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
)

// solver runs programs of one shape to their end, once all chunks are resident, faster
// than Step and Apply by turns would. It goes by the shape of a program, never by its name.
type solver interface {
	name() string
	// scratch is what it takes beside the program's own, in bytes; allocate takes it.
	scratch() uint64
	allocate()
	// solve brings the state to where iterations would have brought it and tells of each
	// iteration as iterate does. It answers false when the values at hand (weights, state)
	// are not of the kind it takes, or no longer: iterations then go on where it left.
	solve(ctx context.Context, chunks []*csr.Chunk, tell func(*plugins.Iteration, uint64)) (edges uint64, solved bool, err error)
}

// stepper is a solver that also takes the chunks one after another, as Step and Apply bring
// them, and that never answers solve with false. Its program has nothing else to run it: it
// allocates neither accumulators nor messages.
type stepper interface {
	solver
	// begin follows Init. It may make more vertices active: those whose edges it needs.
	begin(ctx context.Context) error
	// restore follows Restore, in place of begin.
	restore(ctx context.Context) error
	step(ctx context.Context, r *csr.Chunk) (edges uint64, err error)
	// turn ends an iteration.
	turn(ctx context.Context) error
}

// maxShort is the most vertices that a uint32 can number, as solvers do.
const maxShort = 1 << 32

// solverFor finds the solver of p, or nil, among some that are tried in turn: each answers nil to a
// program that is not of its shape.
func solverFor(p *program, graph plugins.Graph, solvers ...func(*program, plugins.Graph) solver) solver {
	if graph.Vertices > maxShort {
		return nil
	}
	for _, find := range solvers {
		if s := find(p, graph); s != nil {
			return s
		}
	}
	return nil
}

// asynchronous tells whether messages may be applied in any order: only the last state
// counts then, and iterations are whatever the device makes of them.
func (p *program) asynchronous() bool {
	return p.spec.Order == algorithms.Monotone && !p.spec.Exactly && p.spec.MaxIterations == 0
}

// conclude ends a round of a solver: active vertices send in the next, the first column
// has moved by so much.
func (p *program) conclude(active uint64, by float64) {
	p.send(active, by)
	p.iteration++
	p.begun = false
}

// send has the report say that so many vertices send next, after a change by so much.
func (p *program) send(active uint64, by float64) {
	clear(p.changes)
	if len(p.changes) > 0 {
		p.changes[0] = change{active: active, by: by}
	}
}
