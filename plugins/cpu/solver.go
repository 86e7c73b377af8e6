package cpu

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
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

// settler is a stepper that settles as well.
type settler interface {
	stepper
	// settleSome lets the active vertices among complete, whose lists are all in chunks, send.
	settleSome(ctx context.Context, chunks []*csr.Chunk, complete []uint64) (edges uint64, err error)
}

// problem is a program on a graph, as solvers find it.
type problem struct {
	code     *code
	graph    plugins.Graph
	mode     mode
	n        int
	pool     parallel.Pool
	active   []uint64 // in the arena
	frontier *frontier
	acc      *accumulators
	progress *progress
	heads    int // room for the partial sums of a batch
}

// mode is what a task asks for.
type mode struct {
	settling   bool // by Settle alone
	restorable bool // an iteration leaves nothing behind but state and active
	fromRows   bool // the host would cut chunks to the rows of active vertices
	parts      bool // and their lists to places
	partial    bool // of the edges, others are in other sessions (part.go)
}

func modeOf(task plugins.Task) mode {
	return mode{settling: task.Settle, restorable: task.Restorable, partial: task.Part,
		fromRows: task.ActiveRows || task.Settle, parts: task.ActiveRows && task.Places}
}

// maxShort is the most vertices that a uint32 can number, as solvers do.
const maxShort = 1 << 32

// chooseSolver finds the solver of a program, or nil: each answers nil to a program that is not
// of its shape. Solvers have state that is not in columns, of all vertices and edges: a
// part or a share has none.
func chooseSolver(p *problem) solver {
	choices := []func(*problem) solver{newComponents, newFlood, newDeltaStepping}
	if p.mode.settling {
		choices = choices[:1]
	}
	if p.graph.Vertices > maxShort || p.mode.partial || p.frontier.share != nil {
		return nil
	}
	for _, find := range choices {
		s := find(p)
		if s == nil {
			continue
		}
		if _, steps := s.(stepper); !steps && p.mode.restorable && !p.mode.settling {
			return nil // it would never be asked
		}
		return s
	}
	return nil
}
