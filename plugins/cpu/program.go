package cpu

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/bitmap"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/inplace"
	"github.com/penstock-db/penstock/plugins/shape"
)

// program is a vertex program made ready for one graph, and its run.
type program struct {
	problem
	messages  *messages
	sender    sender
	applier   applier
	departing []uint64 // settle: the vertices that send in a round
	edges     edgeKernel
	bottomUp  *bottomUp // nil: never instead of edges
	solver    solver    // nil: iterations by edges and apply
	stepper   stepper   // nil, or the solver: never by edges and apply

	started  bool // Init or Restore has run
	emptied  bool // the accumulators have been made ready since
	prepared bool // messages and aggregates are of the current state
}

// compile makes a task's program ready for the graph of job. It allocates registers only;
// allocate, once the budget has agreed, does the rest.
func compile(job plugins.Job, task plugins.Task, pool parallel.Pool) (*program, error) {
	if err := checkTask(task); err != nil {
		return nil, err
	}
	n := int(job.Graph.Vertices)
	share, err := newShare(task, n)
	if err != nil {
		return nil, err
	}
	spec := shape.WithoutDefault(task.Program)
	p := &program{problem: problem{graph: job.Graph, mode: modeOf(task), n: n, pool: pool, heads: csr.MaxSegments(job.Graph),
		progress: &progress{spec: spec, n: n}}, messages: &messages{}}
	columns, err := inplace.OpenColumns(job.Arena, task.Layout, n)
	if err != nil {
		return nil, err
	}
	p.acc = &accumulators{reduce: spec.Reduce, order: orderOf(spec.Reduce), n: n}
	if p.code, err = compileProgram(input{spec: spec, columns: columns, n: n, workers: pool.Threads,
		pulls: pullsFor(spec, p.mode), received: p.acc.received}); err != nil {
		return nil, err
	}
	if p.active, err = inplace.OpenBitmap(job.Arena, task.Layout.Active, n); err != nil {
		return nil, err
	}
	if p.acc.typ = p.code.accType; p.code.improves() {
		p.acc.first = &p.code.state[0]
	}
	p.frontier = &frontier{senders: p.active, share: share}
	p.applier = applier{code: p.code, acc: p.acc, active: p.active, share: share, partial: p.mode.partial}
	p.sender = sender{code: p.code, frontier: p.frontier, acc: p.acc, messages: p.messages, settling: p.mode.settling}
	p.chooseKernels()
	if p.mode.settling {
		return p, canSettle(p.code, p.mode.restorable)
	}
	return p, nil
}

// checkTask refuses what this device does not run.
func checkTask(task plugins.Task) error {
	if len(task.Lanes) > 0 {
		return plugins.Errorf(plugins.KindUnsupported, "program %q in %d lanes: the cpu device runs one at a time", task.Program.Name, len(task.Lanes))
	}
	if err := shape.Checked(task.Program); err != nil {
		return err
	}
	return checkPart(task)
}

// pullsFor tells whether rows gather what their lists send. Sums do, so that one worker
// writes a row; but where the host would cut chunks to the rows of senders, and these are not
// always all, the rows of sources push them (accumulate.go).
func pullsFor(spec *algorithms.Program, m mode) bool {
	return shape.Accumulates(spec.Reduce) && (!m.fromRows || spec.Activity == algorithms.Always)
}

func (p *program) chooseKernels() {
	in := kernelInput{code: p.code, pool: p.pool, frontier: p.frontier, acc: p.acc, messages: p.messages}
	p.edges = chooseKernel(in)
	p.solver = chooseSolver(&p.problem)
	p.stepper, _ = p.solver.(stepper)
	if m := p.mode; !m.settling && !m.partial && p.frontier.share == nil {
		p.bottomUp = chooseBottomUp(in, p.edges, p.graph)
	}
}

// plan is the answer to Compile.
func (p *program) plan(graph plugins.Graph, layout plugins.Layout) plugins.Plan {
	return plugins.Plan{
		Directions: plugins.Directions(p.code.spec.Edges, p.code.pulls, graph.Directed),
		Fixed:      inplace.Bytes(layout) + p.scratch(),
		Kernel:     p.kernelName(),
		ActiveRows: !p.code.pulls, // what pulls asks every vertex that may send
		Settles:    p.mode.settling,
		Restores:   p.mode.restorable,
		Shares:     p.frontier.share != nil,
		Parts:      p.mode.partial,
	}
}

// kernelName tells push or pull, types, reduction and form: "pull f64 sum, fused".
func (p *program) kernelName() string {
	if p.stepper != nil {
		return p.stepper.name()
	}
	way := "push "
	if p.code.pulls {
		way = "pull "
	}
	name := way + kernelTypes[p.code.accType] + " " + p.code.spec.Reduce.String() + ", " + p.edges.name()
	if p.bottomUp != nil {
		name += " or " + p.bottomUp.name()
	}
	if p.solver != nil {
		name = p.solver.name() + "; streamed: " + name
	}
	return name
}

var kernelTypes = map[algorithms.Type]string{algorithms.Float: "f64", algorithms.Int: "i64", algorithms.Bool: "bool"}

// scratch is what allocate takes and the machines hold, in bytes.
func (p *program) scratch() uint64 {
	blocks := uint64(parallel.BlockCount(p.n))
	bytes := blocks * changeBytes
	if p.stepper != nil {
		return bytes + p.stepper.scratch() + p.code.init.size() + p.code.message.size()
	}
	bytes += p.code.bytes() + accumulatorBytes(p.code, p.pool.Threads, p.heads) + p.edges.size()
	bytes += uint64(len(p.code.spec.Aggregates)) * 8 * blocks
	if p.code.process.Fused {
		bytes += messageBytes(p.code, p.readAtRandom())
	}
	if p.bottomUp != nil {
		bytes += p.bottomUp.size()
	}
	if p.mode.settling {
		bytes += 8 * uint64(bitmap.Words(p.n))
	}
	if p.solver != nil {
		bytes += p.solver.scratch()
	}
	return bytes
}

// readAtRandom tells whether messages are: rows that push read only their own.
func (p *program) readAtRandom() bool {
	return !p.mode.settling && (p.code.pulls || !shape.Accumulates(p.code.spec.Reduce))
}

// allocate makes what the budget was asked for.
func (p *program) allocate() {
	blocks := parallel.BlockCount(p.n)
	p.progress.changes = make([]change, blocks)
	if p.stepper != nil {
		p.stepper.allocate()
		return
	}
	p.acc.allocate(p.code.pulls, p.pool.Threads, p.heads)
	p.code.allocate()
	if p.code.process.Fused {
		p.messages.allocate(p.code, p.readAtRandom())
	}
	if p.solver != nil {
		p.solver.allocate()
	}
	if p.mode.settling {
		p.departing = make([]uint64, bitmap.Words(p.n))
	}
	if p.bottomUp != nil {
		p.bottomUp.extents = make([]extent, blocks)
		p.sender.extents = p.bottomUp.extents
	}
	p.sender.partials = make([]float64, blocks*len(p.code.spec.Aggregates))
}

// start evaluates the initial state and says who sends first.
func (p *program) start(ctx context.Context) error {
	p.started, p.progress.iteration, p.prepared, p.emptied = true, 0, false, false
	err := p.pool.Blocks(ctx, p.n, func(worker, block, from, to int) {
		p.progress.changes[block] = change{}
		strips(from, to, func(from, to int) {
			m := p.code.init.run(worker, from, to)
			for i, state := range p.code.state {
				state.Slice(from, to).Copy(m.Output(i, to-from))
			}
			p.progress.changes[block].active += p.firstActive(from, to)
		})
	})
	if err == nil && p.stepper != nil {
		err = p.stepper.begin(ctx)
	}
	return err
}

// firstActive sets the active bits of a strip and counts them.
func (p *program) firstActive(from, to int) uint64 {
	words, spec := p.active[from/64:bitmap.Words(to)], p.code.spec
	if spec.Activity == algorithms.Always {
		return setAll(words, to-from)
	}
	return markUnlike(words, p.code.state[0].Slice(from, to), identity(spec.Reduce, spec.State[0].Type))
}

// prepare computes, once an iteration, what depends on the state before it.
func (p *program) prepare(ctx context.Context) error {
	if p.prepared {
		return nil
	}
	if err := p.empty(ctx); err != nil {
		return err
	}
	if err := p.pool.Blocks(ctx, p.n, p.sender.block); err != nil {
		return err
	}
	p.allPrepared()
	p.prepared = true
	return nil
}

func (p *program) allPrepared() {
	p.sender.end()
	p.frontier.all = p.progress.allActive()
}

// empty makes the accumulators ready for the first messages; a solver may never ask for it.
func (p *program) empty(ctx context.Context) error {
	if p.emptied {
		return nil
	}
	p.emptied = true
	p.code.settle()
	return p.pool.Blocks(ctx, p.n, func(worker, _, from, to int) {
		p.code.fill(worker, from, to)
		p.acc.reset(from, to)
	})
}
