// Package solvers defines what runs programs of some shapes to their end by an algorithm of
// their own. A solver is a package below this one:
//
//	components      the first column as it is, both ways: Afforest
//	bfs             all senders hold one value: direction-optimizing breadth-first search
//	deltastepping   the best sums, products, least or largest of weights, which no edge makes
//	                better: delta-stepping
//	topological     the best of sums or products of weights, which edges may make better;
//	                first columns summed: in topological order, or a cycle that never settles
//	incremental     sums of which few change: blocks that pull from changed ones
//	nearest         what keeps the best message, parts of the graph at a time: Dijkstra's algorithm; it is no Solver
//
// A Solver needs all chunks resident. A Stepper also takes chunks one by one, as Step and Apply
// bring them; it is certain, from the expressions alone, that it need never give up. A Settler
// settles as well. Problem is what each is made from, Progress where the run stands.
package solvers

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/compile"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/kernels"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
)

// Solver runs programs of one shape to their end, once all chunks are resident, faster
// than Step and Apply in turn would. It goes by the shape of a program, never by its name.
type Solver interface {
	Name() string
	// Scratch is what it takes beside the program's own, in bytes; allocate takes it.
	Scratch() uint64
	Allocate()
	// Solve brings the state to where iterations would have brought it and tells of each
	// iteration as iterate does. It answers false when the values at hand (weights, state)
	// are not of the kind it takes, or no longer: iterations then go on where it left.
	Solve(ctx context.Context, chunks []*csr.Chunk, tell func(*plugins.Iteration, uint64)) (edges uint64, solved bool,
		err error)
}

// Stepper is a solver that also takes the chunks one after another, as Step and Apply bring
// them, and that never answers solve with false. Its program has nothing else to run it: it
// allocates neither accumulators nor messages.
type Stepper interface {
	Solver
	// Begin follows Init. It may make more vertices active: those whose edges it needs.
	Begin(ctx context.Context) error
	// Restore follows Restore, in place of begin.
	Restore(ctx context.Context, it plugins.Iteration) error
	Step(ctx context.Context, r *csr.Chunk) (edges uint64, err error)
	// EndIteration ends an iteration.
	EndIteration(ctx context.Context) error
}

// Settler is a stepper that settles as well.
type Settler interface {
	Stepper
	// Settle lets the active vertices among complete, whose lists are all in chunks, send.
	Settle(ctx context.Context, chunks []*csr.Chunk, complete []uint64) (edges uint64, err error)
}

// Problem is a program on a graph, as solvers find it.
type Problem struct {
	Code     *compile.Code
	Graph    plugins.Graph
	Mode     Mode
	N        int
	Pool     parallel.Pool
	Active   []uint64 // in the arena
	Frontier *kernels.Frontier
	Acc      *kernels.Accumulators
	Progress *Progress
	Heads    int  // room for the partial sums of a batch
	Worsens  bool // a solver has seen that no edge makes a message better: the run ends
}

// Mode is what a task asks for.
type Mode struct {
	Settling   bool // by Settle alone
	Nearest    bool // and that in the order of values
	Restorable bool // an iteration leaves nothing behind but state and active
	FromRows   bool // the host would cut chunks to the rows of active vertices
	Places     bool // and their lists to places
	Joins      bool // of several sessions with a share each, by components
	Partial    bool // of the edges, others are in other sessions (package engine, part.go)
	Intervals  bool // of the vertices, others come in turn (package engine, restore.go)
}

// ModeOf is the mode of a task.
func ModeOf(task plugins.Task) Mode {
	return Mode{Settling: task.Settle, Restorable: task.Restorable, Partial: task.Part,
		Intervals: task.Intervals,
		Nearest:   task.Nearest, Joins: task.Joins,
		FromRows: task.ActiveRows || task.Settle, Places: task.ActiveRows && task.Places}
}
