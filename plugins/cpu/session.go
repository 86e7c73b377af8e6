package cpu

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/engine"
	"github.com/penstock-db/penstock/plugins/cpu/internal/learners"
	"github.com/penstock-db/penstock/plugins/cpu/internal/neural"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/kit"
)

// open begins a session of so many workers.
func (d *device) open(job plugins.Job, threads int) (plugins.Session, error) {
	pool := parallel.New(threads)
	return kit.Open(kit.Setup{
		Device:   deviceName,
		Job:      job,
		Vertices: maxVertices,
		Compile: func(_ context.Context, task plugins.Task, _ *kit.Budget) (kit.Compiled, error) {
			return prepare(job, task, pool)
		},
		Known: &d.known,
		Validator: func(ctx context.Context, n int, check func(int)) error {
			return pool.Run(ctx, n, func(_, i int) { check(i) })
		},
	})
}

// prepare makes a task ready.
func prepare(job plugins.Job, task plugins.Task, pool parallel.Pool) (kit.Compiled, error) {
	switch {
	case task.Network != nil && task.Network.Grid != nil:
		t, plan, err := neural.NewGridTask(job, task, pool)
		return kit.Compiled{Plan: plan, Program: &gridSession{GridTask: t}}, err
	case task.Network != nil && task.Network.Halves != nil:
		t, plan, err := neural.NewHalvesTask(job, task, pool)
		if err != nil {
			return kit.Compiled{}, err
		}
		return kit.Compiled{Plan: plan, Program: &halvesSession{held: newHeld(job.Graph), HalvesTask: t},
			EdgeColumns: t.EdgeColumns()}, nil
	case task.Network != nil:
		t, plan, err := neural.NewTask(job, task, pool)
		if err != nil {
			return kit.Compiled{}, err
		}
		return kit.Compiled{Plan: plan, Program: &networkSession{held: newHeld(job.Graph), Task: t},
			EdgeColumns: t.EdgeColumns()}, nil
	case task.Program == nil && task.Passes && procedures.Streams(task.Procedure):
		p, plan, err := procedures.NewPasses(job, task, pool)
		return kit.Compiled{Plan: plan, Program: &passesSession{held: newHeld(job.Graph), Passes: p}}, err
	case len(task.Layout.Rows) > 0 && !procedures.ReadsRows(task.Procedure):
		l, plan, err := learners.New(job, task)
		if err != nil {
			return kit.Compiled{}, err
		}
		return kit.Compiled{Plan: plan, Procedure: &learnerSession{held: newHeld(job.Graph), learner: l},
			EdgeColumns: l.EdgeColumns()}, nil
	case task.Program == nil:
		p, plan, err := procedures.New(job, task, pool)
		if err != nil {
			return kit.Compiled{}, err
		}
		return kit.Compiled{Plan: plan, Procedure: &procedureSession{procedure: p, held: newHeld(job.Graph)},
			Rows: procedures.ReadsRows(task.Procedure), EdgeColumns: procedures.EdgeColumns(task)}, nil
	}
	p, err := engine.New(job, task, pool)
	if err != nil {
		return kit.Compiled{}, err
	}
	return kit.Compiled{Plan: p.Plan(job.Graph, task.Layout),
		Program: &programSession{held: newHeld(job.Graph), program: p}}, nil
}

// procedureSession is a procedure as a session calls it.
type procedureSession struct {
	held
	procedure procedures.Procedure
}

// Call runs the procedure.
func (c *procedureSession) Call(ctx context.Context, chunks []*kit.Chunk, tell func(float64)) (uint64, error) {
	return c.procedure.Call(ctx, c.of(chunks), tell)
}

// learnerSession is a procedure that learns, as a session calls it.
type learnerSession struct {
	held
	learner learners.Learner
}

// Call never comes: a plan that learns has Learn.
func (l *learnerSession) Call(context.Context, []*kit.Chunk, func(float64)) (uint64, error) {
	return 0, plugins.Errorf(plugins.KindInvalid, "what learns rows is not called without them")
}

// Learn runs it.
func (l *learnerSession) Learn(ctx context.Context, chunks []*kit.Chunk, tell func(plugins.Event)) (uint64, error) {
	return l.learner.Learn(ctx, l.of(chunks), tell)
}

// passesSession is a procedure that a session drives pass by pass.
type passesSession struct {
	held
	*procedures.Passes
}

// Step takes the lists that the pass needs out of a chunk.
func (r *passesSession) Step(ctx context.Context, c *kit.Chunk) (uint64, error) {
	return r.Passes.Step(ctx, r.chunks[c.Number])
}

// networkSession is a neural network that a session drives pass by pass.
type networkSession struct {
	held
	*neural.Task
}

// Step takes the lists of a chunk.
func (r *networkSession) Step(ctx context.Context, c *kit.Chunk) (uint64, error) {
	return r.Task.Step(ctx, r.chunks[c.Number], c.Meta().Direction)
}

// halvesSession is a neural network that a session drives half by half.
type halvesSession struct {
	held
	*neural.HalvesTask
}

// Step takes the lists of a chunk.
func (r *halvesSession) Step(ctx context.Context, c *kit.Chunk) (uint64, error) {
	return r.HalvesTask.Step(ctx, r.chunks[c.Number], c.Meta().Direction)
}

// gridSession is a neural network that a session drives piece by piece.
type gridSession struct{ *neural.GridTask }

// Step never comes: no chunks do.
func (r *gridSession) Step(context.Context, *kit.Chunk) (uint64, error) {
	return 0, plugins.Errorf(plugins.KindInvalid, "a network with a grid takes no chunks")
}

// programSession is a program as a session drives it.
type programSession struct {
	held
	program   *engine.Program
	allocated bool // what the plan calls Fixed
}

// allocate makes what was charged as the task was compiled, once: a session that only asks for a plan needs none of it.
func (r *programSession) allocate() {
	if !r.allocated {
		r.program.Allocate()
		r.allocated = true
	}
}

// Admit makes a chunk ready, unless the program does not end with its weights.
func (r *programSession) Admit(c *kit.Chunk) error {
	if err := r.held.Admit(c); err != nil {
		return err
	}
	if err := r.program.CheckWeights(r.chunks[c.Number]); err != nil {
		r.held.Evict(c)
		return err
	}
	r.program.Hold(r.chunks[c.Number])
	return nil
}

// Evict forgets a chunk.
func (r *programSession) Evict(c *kit.Chunk) {
	r.program.Drop(r.chunks[c.Number])
	r.held.Evict(c)
}

// Init evaluates the initial state.
func (r *programSession) Init(ctx context.Context) error {
	r.allocate()
	return r.program.Start(ctx)
}

// Step sends along the edges of a chunk.
func (r *programSession) Step(ctx context.Context, c *kit.Chunk) (uint64, error) {
	return r.program.Step(ctx, r.chunks[c.Number])
}

// Apply ends an iteration.
func (r *programSession) Apply(ctx context.Context) error { return r.program.Finish(ctx) }

// Iteration says where the run stands.
func (r *programSession) Iteration() *plugins.Iteration { return r.program.Report() }

// Iterate goes on until the program has converged.
func (r *programSession) Iterate(ctx context.Context, chunks []*kit.Chunk,
	tell func(*plugins.Iteration, uint64)) (uint64, error) {
	return r.program.Iterate(ctx, r.of(chunks), tell)
}

// Settle brings a set to local convergence.
func (r *programSession) Settle(ctx context.Context, chunks []*kit.Chunk, set []uint64, rounds int) (uint64, error) {
	return r.program.Settle(ctx, r.of(chunks), set, rounds)
}

// SettleNearest brings a set to local convergence, the best values first.
func (r *programSession) SettleNearest(ctx context.Context, set []uint64) (uint64, error) {
	return r.program.SettleNearest(ctx, set)
}

// Restore goes on from what another session has left.
func (r *programSession) Restore(ctx context.Context, it plugins.Iteration) error {
	r.allocate()
	return r.program.Restore(ctx, it)
}

// Gather writes what has come to a column.
func (r *programSession) Gather(ctx context.Context, to algorithms.Values, among []uint64) error {
	return r.program.Gather(ctx, vector.View(to), among)
}

// Deliver takes what another session has gathered, or the state that it has.
func (r *programSession) Deliver(ctx context.Context, from algorithms.Values, among []uint64) error {
	if r.program.Settling() {
		return r.program.Overhear(ctx, vector.View(from), among)
	}
	return r.program.Deliver(ctx, vector.View(from), among)
}
