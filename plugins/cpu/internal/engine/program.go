package engine

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/activity"
	"github.com/penstock-db/penstock/plugins/cpu/internal/compile"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/kernels"
	"github.com/penstock-db/penstock/plugins/cpu/internal/ordering"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/kit/bitmap"
)

// Program is a vertex program made ready for one graph, and its run.
type Program struct {
	solvers.Problem
	messages  *kernels.Messages
	sender    sender
	applier   applier
	departing []uint64 // settle: the vertices that send in a round
	edges     kernels.Kernel
	bottomUp  *kernels.BottomUp // nil: never instead of edges
	solver    solvers.Solver    // nil: iterations by edges and apply
	stepper   solvers.Stepper   // nil, or the solver: never by edges and apply

	emptied  bool // the accumulators have been made ready since
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
	p := &Program{Problem: solvers.Problem{Graph: job.Graph, Mode: solvers.ModeOf(task), N: n, Pool: pool, Heads: csr.MaxSegments(job.Graph),
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
	p.sender = sender{code: p.Code, frontier: p.Frontier, acc: p.Acc, messages: p.messages, settling: p.Mode.Settling}
	p.chooseKernels()
	if p.Mode.Settling {
		return p, p.Code.CanSettle(p.Mode.Restorable)
	}
	return p, nil
}

// pullsFor tells whether rows gather what their lists send. Sums do, so that one worker
// writes a row; but where the host would cut chunks to the rows of senders, and these are not
// always all, the rows of sources push them (accumulate.go).
func pullsFor(spec *algorithms.Program, m solvers.Mode) bool {
	return shape.Accumulates(spec.Reduce) && (!m.FromRows || spec.Activity == algorithms.Always)
}

func (p *Program) chooseKernels() {
	in := kernels.Input{Code: p.Code, Pool: p.Pool, Frontier: p.Frontier, Acc: p.Acc, Messages: p.messages}
	p.edges = kernels.Choose(in)
	p.solver = chooseSolver(&p.Problem)
	p.stepper, _ = p.solver.(solvers.Stepper)
	if m := p.Mode; !m.Settling && !m.Partial && p.Frontier.Share == nil {
		p.bottomUp = kernels.ChooseBottomUp(in, p.edges, p.Graph)
	}
}

// Plan is the answer to Compile.
func (p *Program) Plan(graph plugins.Graph, layout plugins.Layout) plugins.Plan {
	return plugins.Plan{
		Directions: plugins.Directions(p.Code.Spec.Edges, p.Code.Pulls, graph.Directed),
		Fixed:      kit.LayoutBytes(layout) + p.scratch(),
		Kernel:     p.kernelName(),
		ActiveRows: !p.Code.Pulls, // what pulls asks every vertex that may send
		Shares:     p.Frontier.Share != nil,
	}
}

// kernelName tells push or pull, types, reduction and form: "pull f64 sum, fused".
func (p *Program) kernelName() string {
	if p.stepper != nil {
		return p.stepper.Name()
	}
	way := "push "
	if p.Code.Pulls {
		way = "pull "
	}
	name := way + kernelTypes[p.Code.AccType] + " " + p.Code.Spec.Reduce.String() + ", " + p.edges.Name()
	if p.bottomUp != nil {
		name += " or " + p.bottomUp.Name()
	}
	if p.solver != nil {
		name = p.solver.Name() + "; streamed: " + name
	}
	return name
}

var kernelTypes = map[algorithms.Type]string{algorithms.Float: "f64", algorithms.Int: "i64", algorithms.Bool: "bool"}

// scratch is what allocate takes and the machines hold, in bytes.
func (p *Program) scratch() uint64 {
	blocks := uint64(parallel.BlockCount(p.N))
	bytes := blocks * activity.ChangeBytes
	if p.stepper != nil {
		return bytes + p.stepper.Scratch() + p.Code.Init.Size() + p.Code.Message.Size()
	}
	bytes += p.Code.Bytes() + kernels.AccumulatorBytes(p.Code, p.Pool.Threads, p.Heads) + p.edges.Size()
	bytes += uint64(len(p.Code.Spec.Aggregates)) * 8 * blocks
	if p.Code.Process.Fused {
		bytes += kernels.MessageBytes(p.Code, p.readAtRandom())
	}
	if p.bottomUp != nil {
		bytes += p.bottomUp.Size()
	}
	if p.Mode.Settling {
		bytes += 8 * uint64(bitmap.Words(p.N))
	}
	if p.solver != nil {
		bytes += p.solver.Scratch()
	}
	return bytes
}

// readAtRandom tells whether messages are: rows that push read only their own.
func (p *Program) readAtRandom() bool {
	return !p.Mode.Settling && (p.Code.Pulls || !shape.Accumulates(p.Code.Spec.Reduce))
}

// Allocate makes what the budget was asked for.
func (p *Program) Allocate() {
	blocks := parallel.BlockCount(p.N)
	p.Progress.Changes = make([]activity.Change, blocks)
	if p.stepper != nil {
		p.stepper.Allocate()
		return
	}
	p.Acc.Allocate(p.Code.Pulls, p.Pool.Threads, p.Heads)
	p.Code.Allocate()
	if p.Code.Process.Fused {
		p.messages.Allocate(p.Code, p.readAtRandom())
	}
	if p.solver != nil {
		p.solver.Allocate()
	}
	if p.Mode.Settling {
		p.departing = make([]uint64, bitmap.Words(p.N))
	}
	if p.bottomUp != nil {
		p.bottomUp.Extents = make([]kernels.Extent, blocks)
		p.sender.extents = p.bottomUp.Extents
	}
	p.sender.partials = make([]float64, blocks*len(p.Code.Spec.Aggregates))
}

// Start evaluates the initial state and says who sends first.
func (p *Program) Start(ctx context.Context) error {
	p.Progress.Iteration, p.prepared, p.emptied = 0, false, false
	err := p.Pool.Blocks(ctx, p.N, func(worker, block, from, to int) {
		p.Progress.Changes[block] = activity.Change{}
		compile.Strips(from, to, func(from, to int) {
			m := p.Code.Init.Run(worker, from, to)
			for i, state := range p.Code.State {
				state.Slice(from, to).Copy(m.Output(i, to-from))
			}
			p.Progress.Changes[block].Active += p.firstActive(from, to)
		})
	})
	if err == nil && p.stepper != nil {
		err = p.stepper.Begin(ctx)
	}
	return err
}

// firstActive sets the active bits of a strip and counts them.
func (p *Program) firstActive(from, to int) uint64 {
	words, spec := p.Active[from/64:bitmap.Words(to)], p.Code.Spec
	if spec.Activity == algorithms.Always {
		return bitmap.Fill(words, to-from)
	}
	return activity.MarkUnlike(words, p.Code.State[0].Slice(from, to), vector.Identity(spec.Reduce, spec.State[0].Type))
}

// prepare computes, once an iteration, what depends on the state before it.
func (p *Program) prepare(ctx context.Context) error {
	if p.prepared {
		return nil
	}
	if err := p.empty(ctx); err != nil {
		return err
	}
	if err := p.Pool.Blocks(ctx, p.N, p.sender.block); err != nil {
		return err
	}
	p.allPrepared()
	p.prepared = true
	return nil
}

func (p *Program) allPrepared() {
	p.sender.end()
	p.Frontier.All = p.Progress.AllActive()
}

// empty makes the accumulators ready for the first messages; a solver may never ask for it.
func (p *Program) empty(ctx context.Context) error {
	if p.emptied {
		return nil
	}
	p.emptied = true
	p.Code.Settle()
	return p.Pool.Blocks(ctx, p.N, func(worker, _, from, to int) {
		p.Code.Fill(worker, from, to)
		p.Acc.Reset(from, to)
	})
}
