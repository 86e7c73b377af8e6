// Package engine runs a vertex program over resident chunks: it makes the parts and calls them
// in order.
//
//	New       task ──▶ code, kernel, solver; the memory they take      (program.go, task.go, memory.go)
//	Start     initial state, first active set                          (start.go)
//	Step      state ──▶ messages ──edges──▶ accumulators                (sender.go, package kernels)
//	Finish    accumulators ──▶ state, next active set                  (apply.go)
//	Iterate   a solver, or Step over all chunks and Finish, until converged    (iterate.go)
//	          short frontiers as lists, on one worker                          (short.go)
//	Settle    rounds among vertices whose edges are all there          (settle.go, arrive.go)
//	          short frontiers as lists, as above                               (short.go)
//	          where they look at edges again and again, by values      (nearestfirst.go)
//	          in topological order                                    (sorted.go; sums: solvers/topological)
//	SettleNearest    the same, the best values first                (settle.go, solvers/nearest)
//	Gather, Deliver, Overhear   what other sessions have of the edges  (part.go)
//	Restore   from the state of an earlier session                     (restore.go)
//
// A round of Settle looks at a word for 64 vertices, and evaluates expressions only for words
// with members; sums are looked at only in words that a push has marked since, and only for vertices
// that may send. Where sums are passed on above a threshold, a vertex that is about to send
// takes along what has arrived meanwhile, so that what chunks sent before reaches those sent
// after in the same pass (as in Gauss and Seidel's method).
//
// With a share the lists of rows that push are clipped to it, segments that pull for others are
// left out, and Apply is done for the share alone. Solvers have state outside the columns, so a
// share or a part of the edges runs without them.
package engine

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/compile"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/kernels"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers/nearest"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers/topological"
	"github.com/penstock-db/penstock/plugins/internal/ordering"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/kit"
)

// Program is a vertex program made ready for one graph, and its run.
type Program struct {
	solvers.Problem
	messages  *kernels.Messages
	sender    sender
	applier   applier
	departing []uint64 // settle: the vertices that send in a round
	edges     kernels.Kernel
	steps     *kernels.Steps           // settle: nil, or what tells whether edges gain
	bottomUp  *kernels.BottomUp        // nil: never instead of edges
	nearest   *nearest.Nearest         // nil: a Settle goes in no order; else it never goes by edges
	solvers   []solvers.Solver         // where all give up: iterations by edges and apply
	sorted    *sorted                  // nil: a Settle goes in rounds
	sums      *topological.SettledSums // nil: a Settle adds up nothing in order; else it never goes by edges
	ownSums   *topological.OwnSums     // nil, or how sums settle among the vertices of an interval
	stepper   solvers.Stepper          // nil, or the only solver: never by edges and apply

	filled   bool // what is of the inputs alone is that of those that are there
	emptied  bool // the accumulators have been made ready since
	adding   bool // of intervals: sources come to the same destinations
	prepared bool // messages and aggregates are of the current state
}

// New makes a task's program ready for the graph of job. It allocates registers only;
// allocate, once the budget has agreed, does the rest.
func New(job plugins.Job, task plugins.Task, pool parallel.Pool) (*Program, error) {
	if err := shape.Checked(task.Program); err != nil {
		return nil, err
	}
	n := int(job.Graph.Vertices)
	share := newShare(task)
	spec := shape.WithoutDefault(task.Program)
	p := &Program{Problem: solvers.Problem{Graph: job.Graph, Mode: solvers.ModeOf(task), N: n, Pool: pool,
		Heads:    csr.MaxSegments(job.Graph),
		Progress: &solvers.Progress{Spec: spec, N: n}}, messages: &kernels.Messages{}}
	columns, err := kit.OpenColumns(job.Arena, task.Layout, n)
	if err == nil {
		err = columns.Require(algorithms.VertexColumns(spec)...)
	}
	if err != nil {
		return nil, err
	}
	p.Acc = &kernels.Accumulators{Reduce: spec.Reduce, Order: ordering.Of(spec.Reduce), N: n}
	if p.Code, err = compile.Compile(compile.Input{Spec: spec, Columns: vector.Views(columns), N: n, Workers: pool.Threads,
		Pulls: pullsFor(spec, p.Mode), Received: p.Acc.Received}); err != nil {
		return nil, err
	}
	if p.Active, err = kit.OpenBitmap(job.Arena, task.Layout.Active, n); err != nil {
		return nil, err
	}
	if p.Acc.Typ = p.Code.AccType; p.Code.Improves() {
		p.Acc.First = &p.Code.State[0]
	}
	p.Frontier = &kernels.Frontier{Senders: p.Active, Share: share}
	p.applier = applier{code: p.Code, acc: p.Acc, active: p.Active, share: share, partial: p.Mode.Partial}
	p.sender = sender{code: p.Code, frontier: p.Frontier, acc: p.Acc, messages: p.messages, settling: p.Mode.Settling,
		first: p.Code.Process.SendsFirst(spec)}
	p.chooseKernels()
	if p.Mode.Settling {
		if spec.Diverged != "" {
			p.steps = kernels.NewSteps(p.Code)
		}
		if p.sums = topological.NewSettledSums(&p.Problem); p.sums != nil {
			return p, nil
		}
		if p.ownSums = topological.NewOwnSums(&p.Problem); p.ownSums != nil {
			return p, nil
		}
		if p.stepper == nil { // which needs each edge once
			p.nearest = nearest.New(&p.Problem)
		}
		if p.stepper == nil && p.nearest == nil {
			p.sorted = newSorted(p)
		}
		return p, p.Code.CanSettle(p.Mode.Restorable, share != nil)
	}
	return p, nil
}

// pullsFor tells whether rows gather what their lists send. Sums do, so that one worker
// writes a row; but where the host would cut chunks to the rows of senders, and these are not
// always all, the rows of sources push them (package kernels, pushsums.go). So they do where each vertex sends once.
func pullsFor(spec *algorithms.Program, m solvers.Mode) bool {
	return shape.Accumulates(spec.Reduce) && (!m.FromRows || spec.Activity == algorithms.Always && !m.Settling)
}

func (p *Program) chooseKernels() {
	in := kernels.Input{Code: p.Code, Pool: p.Pool, Frontier: p.Frontier, Acc: p.Acc, Messages: p.messages}
	p.edges = kernels.Choose(in)
	if p.solvers = chooseSolvers(&p.Problem); len(p.solvers) > 0 {
		p.stepper, _ = p.solvers[0].(solvers.Stepper)
	}
	if m := p.Mode; !m.Settling && !m.Partial && !m.Intervals && p.Frontier.Share == nil {
		p.bottomUp = kernels.ChooseBottomUp(in, p.edges, p.Graph)
	}
}
