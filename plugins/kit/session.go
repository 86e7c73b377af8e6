package kit

import (
	"context"
	"errors"
	"time"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/internal/check"
	"github.com/penstock-db/penstock/plugins/internal/failure"
	"github.com/penstock-db/penstock/plugins/mega"
)

// Setup is what a device opens a session with.
type Setup struct {
	Device   string // its name, which errors carry
	Job      plugins.Job
	Vertices uint64 // the most that the device can number; 0: 32 bits
	Lanes    int    // as Describe says
	// Compile makes a task ready. What Compiled.Plan.Fixed counts it allocates in
	// Compiled.Allocate, once that is charged; budget is for what turns out later to be needed.
	Compile func(ctx context.Context, task plugins.Task, budget *Budget) (Compiled, error)
	// Known remembers which chunks are validated, from one session to the next; nil: nothing does.
	Known *Known
	// Validator validates a chunk by several goroutines: it calls check for each i below n, in any order, and returns when
	// all calls have returned. Nil: one goroutine does it.
	Validator func(ctx context.Context, n int, check func(i int)) error
	// Close is called when the session closes, before chunks are let go; failed: a command has. May be nil.
	Close func(failed bool)
}

// session is one run of a device that obeys one command after the other.
type session struct {
	setup    Setup
	task     plugins.Task
	compiled Compiled
	order    check.Order
	failed   bool // a command
	residency
}

// Open begins a session: one run, which obeys one command after the other.
func Open(setup Setup) (plugins.Session, error) {
	if err := check.Job(setup.Job, setup.Vertices); err != nil {
		return nil, err
	}
	return &session{setup: setup, residency: residency{job: setup.Job, budget: &Budget{Limit: setup.Job.Budget},
		known: setup.Known, validator: setup.Validator, chunks: map[uint32]*Chunk{}}}, nil
}

// Compile has the device make a task ready and charges what the plan says.
func (s *session) Compile(ctx context.Context, task plugins.Task) (plugins.Plan, error) {
	plan, err := s.compile(ctx, task)
	if err != nil {
		return plugins.Plan{}, failure.Named(s.setup.Device, -1, plugins.KindInternal, err)
	}
	return plan, nil
}

func (s *session) compile(ctx context.Context, task plugins.Task) (plan plugins.Plan, err error) {
	if err := check.Task(task, s.job.Graph.Vertices, s.setup.Lanes); err != nil {
		return plan, err
	}
	compiled, err := s.setup.Compile(ctx, task, s.budget)
	if err != nil {
		return plan, err
	}
	plan = compiled.Plan
	if err := negotiate(&plan, task, compiled); err != nil {
		return plan, err
	}
	charge := s.budget.TakeTask
	if plan.Grid || compiled.Rows && len(plan.Directions) == 0 { // no chunks come
		charge = func(fixed uint64) error { return s.budget.Take(fixed, "the task") }
	}
	if err := charge(plan.Fixed); err != nil {
		return plan, err
	}
	if compiled.Allocate != nil {
		compiled.Allocate(&plan)
	}
	compiled.Plan = plan
	s.task, s.compiled, s.wanted = task, compiled, plan.Directions
	s.order = check.Order{Program: compiled.Program != nil, Plan: plan}
	if compiled.Program != nil {
		if s.edgeColumns = compiled.EdgeColumns; task.Program != nil {
			s.edgeColumns = task.Program.EdgeColumns
		}
		s.admitter, _ = compiled.Program.(Admitter)
	} else {
		s.edgeColumns = compiled.EdgeColumns
		s.admitter, _ = compiled.Procedure.(Admitter)
	}
	return plan, nil
}

// negotiate says yes to the extensions that the task asks for and the program implements. A task that is to be
// settled and cannot be is refused, as the contract wants; what else is not taken up is left out of the plan.
func negotiate(plan *plugins.Plan, task plugins.Task, compiled Compiled) error {
	program := compiled.Program
	_, learns := compiled.Procedure.(Learner)
	_, settles := program.(Settler)
	_, restores := program.(Restorer)
	_, exchanges := program.(Exchanger)
	_, nearest := program.(NearestSettler)
	_, networks := program.(NetworkRunner)
	_, grids := program.(GridRunner)
	_, batches := program.(BatchRunner)
	_, halves := program.(HalfRunner)
	_, shares := program.(SharedGridRunner)
	if task.Network != nil && !networks {
		return plugins.Errorf(plugins.KindUnsupported, "the device computes no neural networks")
	}
	if task.Network != nil && task.Network.Grid != nil && !grids {
		return plugins.Errorf(plugins.KindUnsupported, "the device computes no neural network by intervals")
	}
	if task.Network != nil && task.Network.Batch != nil && !batches {
		return plugins.Errorf(plugins.KindUnsupported, "the device computes no neural network over batches")
	}
	portions := task.Network != nil && task.Network.Batch != nil && task.Network.Batch.Rows != arena.Range{}
	if portions && !plan.Portions {
		return plugins.Errorf(plugins.KindUnsupported, "the device computes no portions of batches")
	}
	if task.Network != nil && task.Network.Halves != nil && !halves {
		return plugins.Errorf(plugins.KindUnsupported, "the device computes no halves of a neural network")
	}
	if task.Network != nil && task.Network.Grid != nil && task.Network.Grid.Shared && !shares {
		return plugins.Errorf(plugins.KindUnsupported, "the device computes no neural network together with others")
	}
	if task.Settle && !settles {
		return plugins.Errorf(plugins.KindUnsupported, "the device does not settle programs")
	}
	if len(task.Layout.Rows) > 0 && !learns && !compiled.Rows {
		return plugins.Errorf(plugins.KindUnsupported, "the device learns no rows by %q", task.Procedure)
	}
	plan.Learns = len(task.Layout.Rows) > 0
	plan.Settles = task.Settle
	plan.Restores = task.Restorable && restores
	plan.Parts = task.Part && exchanges
	plan.Passes = task.Passes && program != nil
	plan.Networks = task.Network != nil
	plan.Grid = task.Network != nil && task.Network.Grid != nil
	plan.Batches = task.Network != nil && task.Network.Batch != nil
	plan.Portions = portions
	plan.Halves = task.Network != nil && task.Network.Halves != nil
	plan.Nearest = plan.Nearest && task.Nearest && nearest
	plan.Intervals = plan.Intervals && task.Intervals && restores
	return nil
}

// Execute obeys one command at a time.
func (s *session) Execute(ctx context.Context, commands <-chan plugins.Command, emit func(plugins.Event)) error {
	if s.compiled.Program == nil && s.compiled.Procedure == nil {
		return failure.Named(s.setup.Device, -1, plugins.KindInvalid, check.ErrNotCompiled)
	}
	for {
		select {
		case <-ctx.Done():
			return failure.Named(s.setup.Device, -1, plugins.KindCanceled, ctx.Err())
		case c, more := <-commands:
			if !more {
				return nil
			}
			if err := s.answer(ctx, c, emit); err != nil {
				return err
			}
		}
	}
}

// answer obeys c and emits its last event.
func (s *session) answer(ctx context.Context, c plugins.Command, emit func(plugins.Event)) error {
	began, converted := time.Now(), s.converted()
	tell := func(e plugins.Event) {
		e.Seq = c.Seq
		e.Transfer = s.converted() - converted
		if e.Compute = time.Since(began) - e.Transfer; c.Op == plugins.Upload || c.Op == plugins.Evict {
			e.Transfer, e.Compute = time.Since(began), 0 // nothing is copied, but every edge looked at
		}
		e.Resident, e.Peak = s.budget.Used, s.budget.Peak
		emit(e)
	}
	last, err := s.obey(ctx, c, tell)
	if err != nil {
		last.Err, s.failed = failure.Of(ctx, s.setup.Device, c, err), true
	}
	last.Done = true
	tell(last)
	return last.Err
}

// converted is how long the program has taken to bring chunks into its own form.
func (s *session) converted() time.Duration {
	if c, ok := s.compiled.Program.(Converter); ok {
		return c.Converted()
	}
	return 0
}

func (s *session) obey(ctx context.Context, c plugins.Command, tell func(plugins.Event)) (plugins.Event, error) {
	if err := s.order.Check(c.Op); err != nil {
		return plugins.Event{}, err
	}
	switch c.Op {
	case plugins.Upload:
		return plugins.Event{}, s.upload(ctx, c)
	case plugins.Evict:
		return plugins.Event{}, s.evict(c.Chunk)
	case plugins.Call:
		if learner, ok := s.compiled.Procedure.(Learner); ok && s.compiled.Plan.Learns {
			edges, err := learner.Learn(ctx, s.inOrder(), tell)
			return plugins.Event{Edges: edges}, learning(err)
		}
		return called(s.compiled.Procedure.Call(ctx, s.inOrder(), func(fraction float64) {
			tell(plugins.Event{Fraction: min(fraction, 1)}) // parts may sum up to more, by rounding
		}))
	case plugins.Restore:
		return s.restore(ctx, c.Iteration)
	case plugins.Settle:
		return s.settle(ctx, c)
	case plugins.Gather, plugins.Deliver:
		return s.exchange(ctx, c)
	case plugins.Pass, plugins.Rows, plugins.Cell, plugins.Reduce, plugins.Reduced:
		return s.network(ctx, c)
	}
	return s.run(ctx, c, tell)
}

// learning is err of a MEGA program, by its kind: where a worker has died or hangs, as if the process had; where the
// program, its options or the graph will not do, as a request that is refused.
func learning(err error) error {
	var worker *mega.WorkerError
	var refused *mega.Error
	switch {
	case errors.As(err, &worker) && worker.Hangs():
		return plugins.Errorf(plugins.KindHung, "%w", err)
	case errors.As(err, &worker):
		return plugins.Errorf(plugins.KindDied, "%w", err)
	case errors.As(err, &refused):
		return plugins.Errorf(plugins.KindInvalid, "%w", err)
	}
	return err
}

// network obeys the commands of a network's passes.
func (s *session) network(ctx context.Context, c plugins.Command) (plugins.Event, error) {
	program, dropout := s.compiled.Program, dataflow.Dropout{Seed: c.Seed, Epoch: int(c.Epoch)}
	if s.compiled.Plan.Halves {
		edges, err := program.(HalfRunner).Half(ctx, int(c.Pass), c.Piece, dropout)
		return plugins.Event{Edges: edges}, err
	}
	switch c.Op {
	case plugins.Rows:
		return plugins.Event{}, program.(GridRunner).Rows(ctx, int(c.Pass), c.Piece, dropout)
	case plugins.Cell:
		return plugins.Event{Edges: c.Piece.Edges}, program.(GridRunner).Cell(ctx, int(c.Pass), c.Piece, dropout)
	case plugins.Reduce, plugins.Reduced:
		shares, of := program.(SharedGridRunner)
		switch {
		case !of || !s.task.Network.Grid.Shared:
			return plugins.Event{}, plugins.Errorf(plugins.KindInvalid, "the device is the only one to compute the network")
		case c.Op == plugins.Reduce:
			return plugins.Event{}, shares.Reduce(int(c.Pass), c.Piece)
		}
		return plugins.Event{}, shares.Reduced(ctx, int(c.Pass), c.Piece, dropout)
	}
	if n := s.task.Network; int(c.Pass) < len(n.Passes) && n.Passes[c.Pass].Batched {
		edges, err := program.(BatchRunner).Batch(ctx, int(c.Pass), c.Batch, dropout)
		return plugins.Event{Edges: edges}, err
	}
	edges, err := program.(NetworkRunner).Pass(ctx, int(c.Pass), dropout)
	return plugins.Event{Edges: edges}, err
}

// run obeys the core's commands for a program.
func (s *session) run(ctx context.Context, c plugins.Command, tell func(plugins.Event)) (plugins.Event, error) {
	program := s.compiled.Program
	switch c.Op {
	case plugins.Init:
		err := program.Init(ctx)
		s.order.Started = err == nil
		return s.reported(err)
	case plugins.Step:
		chunk, err := s.resident(c.Chunk)
		if err != nil {
			return plugins.Event{}, err
		}
		edges, err := program.Step(ctx, chunk)
		return plugins.Event{Edges: edges}, err
	case plugins.Apply:
		return s.reported(program.Apply(ctx))
	}
	edges, err := s.iterate(ctx, func(it *plugins.Iteration,
		edges uint64) {
		tell(plugins.Event{Iteration: it, Edges: edges})
	})
	return plugins.Event{Iteration: program.Iteration(), Edges: edges}, err
}

// iterate goes on until the program has converged: as it likes, or chunk by chunk.
func (s *session) iterate(ctx context.Context, tell func(*plugins.Iteration, uint64)) (edges uint64, err error) {
	program, chunks := s.compiled.Program, s.inOrder()
	if own, ok := program.(Iterator); ok {
		return own.Iterate(ctx, chunks, tell)
	}
	for !program.Iteration().Converged {
		for _, c := range chunks {
			done, err := program.Step(ctx, c)
			if edges += done; err != nil {
				return edges, err
			}
		}
		if err := program.Apply(ctx); err != nil {
			return edges, err
		}
		tell(program.Iteration(), edges)
		if ctx.Err() != nil {
			return edges, ctx.Err()
		}
	}
	return edges, nil
}

func (s *session) reported(err error) (plugins.Event, error) {
	if err != nil {
		return plugins.Event{}, err // what has failed is in no iteration: who is told of one takes the error for another
	}
	return plugins.Event{Iteration: s.compiled.Program.Iteration()}, nil
}

// vertices is the number of the graph's vertices.
func (s *session) vertices() int { return int(s.job.Graph.Vertices) }

// Close lets the chunks go.
func (s *session) Close() error {
	if s.setup.Close != nil {
		s.setup.Close(s.failed)
	}
	s.release()
	return nil
}
