package cpu

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
	"github.com/penstock-db/penstock/plugins/kit"
)

// session is one run. Compile sets program or procedure; Execute alone uses the rest.
type session struct {
	job        plugins.Job
	known      *kit.Known
	pool       parallel.Pool
	budget     *kit.Budget
	program    *program
	procedure  procedures.Procedure
	directions []chunk.Direction
	chunks     map[uint32]*csr.Chunk
}

func (s *session) Compile(_ context.Context, task plugins.Task) (plugins.Plan, error) {
	plan, err := s.compile(task)
	if err == nil {
		err = s.budget.Allow(plan.Fixed+kit.SmallestChunk, "the task with its smallest chunk")
	}
	if err == nil {
		err = s.budget.Take(plan.Fixed, "the task")
	}
	if err != nil {
		return plugins.Plan{}, fail(plugins.KindInternal, err)
	}
	s.directions = plan.Directions
	if s.program != nil {
		s.program.allocate()
	}
	return plan, nil
}

func (s *session) compile(task plugins.Task) (plan plugins.Plan, err error) {
	if task.Program == nil {
		s.procedure, plan, err = procedures.New(s.job, task, s.pool)
		return plan, err
	}
	if s.program, err = compile(s.job, task, s.pool); err != nil {
		return plan, err
	}
	return s.program.plan(s.job.Graph, task.Layout), nil
}

// Execute obeys one command at a time.
func (s *session) Execute(ctx context.Context, commands <-chan plugins.Command, emit func(plugins.Event)) error {
	for {
		select {
		case <-ctx.Done():
			return fail(plugins.KindCanceled, ctx.Err())
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
	began := time.Now()
	tell := func(e plugins.Event) {
		if e.Seq = c.Seq; c.Op == plugins.Upload || c.Op == plugins.Evict {
			e.Transfer = time.Since(began) // nothing is copied, but every edge looked at
		} else {
			e.Compute = time.Since(began)
		}
		e.Resident, e.Peak = s.budget.Used, s.budget.Peak
		emit(e)
	}
	last, err := s.obey(ctx, c, tell)
	if err != nil {
		last.Err = plugins.Failure(ctx, deviceName, c, err)
	}
	last.Done = true
	tell(last)
	return last.Err
}

func (s *session) obey(ctx context.Context, c plugins.Command, tell func(plugins.Event)) (plugins.Event, error) {
	switch c.Op {
	case plugins.Upload:
		return plugins.Event{}, s.upload(ctx, c)
	case plugins.Evict:
		return plugins.Event{}, s.evict(c.Chunk)
	case plugins.Call:
		return s.call(ctx, tell)
	}
	return s.iteration(ctx, c, tell)
}

// call runs the procedure.
func (s *session) call(ctx context.Context, tell func(plugins.Event)) (plugins.Event, error) {
	if s.procedure == nil {
		return plugins.Event{}, plugins.Errorf(plugins.KindInvalid, "Call needs a procedure; none is compiled")
	}
	edges, err := s.procedure.Call(ctx, s.inOrder(), func(fraction float64) { tell(plugins.Event{Fraction: fraction}) })
	return plugins.Event{Edges: edges}, err
}

// iteration obeys the commands that concern a program.
func (s *session) iteration(ctx context.Context, c plugins.Command, tell func(plugins.Event)) (plugins.Event, error) {
	if s.program == nil {
		return plugins.Event{}, plugins.Errorf(plugins.KindInvalid, "command %d needs a program; none is compiled", c.Op)
	}
	if c.Op == plugins.Init {
		return s.reported(s.program.start(ctx))
	}
	if c.Op == plugins.Restore {
		return s.reported(s.program.restore(ctx, c.Iteration))
	}
	if !s.program.started {
		return plugins.Event{}, errNotStarted
	}
	if s.program.settling != (c.Op == plugins.Settle) && c.Op != plugins.Deliver {
		return plugins.Event{}, errOtherwise
	}
	switch c.Op {
	case plugins.Step:
		r, err := s.resident(c.Chunk)
		if err != nil {
			return plugins.Event{}, err
		}
		edges, err := s.program.step(ctx, r)
		return plugins.Event{Edges: edges}, err
	case plugins.Apply:
		return s.reported(s.program.finish(ctx))
	case plugins.Settle:
		return s.settle(ctx, c)
	case plugins.Gather, plugins.Deliver:
		return s.exchange(ctx, c)
	case plugins.Iterate:
		edges, err := s.program.iterate(ctx, s.inOrder(), func(i *plugins.Iteration, edges uint64) {
			tell(plugins.Event{Iteration: i, Edges: edges})
		})
		return plugins.Event{Iteration: s.program.report(), Edges: edges}, err
	}
	return plugins.Event{}, plugins.Errorf(plugins.KindInvalid, "there is no command %d", c.Op)
}

// settle brings the set that a command names to local convergence.
func (s *session) settle(ctx context.Context, c plugins.Command) (plugins.Event, error) {
	set, err := kit.OpenBitmap(s.job.Arena, c.At, s.program.n)
	if err != nil {
		return plugins.Event{}, err
	}
	return s.settled(s.program.settle(ctx, s.inOrder(), set, int(c.Rounds)))
}

// settled reports a Settle, or a Deliver between two of them.
func (s *session) settled(edges uint64, err error) (plugins.Event, error) {
	it := s.program.report()
	it.Converged = it.Active == 0
	return plugins.Event{Iteration: it, Edges: edges}, err
}

func (s *session) reported(err error) (plugins.Event, error) {
	return plugins.Event{Iteration: s.program.report()}, err
}

// upload makes a chunk resident, where it lies.
func (s *session) upload(ctx context.Context, c plugins.Command) error {
	if s.chunks[c.Chunk] != nil {
		return plugins.Errorf(plugins.KindInvalid, "it is resident already")
	}
	opened, err := kit.OpenChunk(s.job, c, s.directions, s.edgeColumns())
	if err != nil {
		return err
	}
	r, err := s.admit(ctx, opened)
	if err != nil {
		opened.Release()
		return err
	}
	s.chunks[c.Chunk] = r
	return nil
}

// admit checks a chunk, charges it and makes it ready.
func (s *session) admit(ctx context.Context, c *kit.Chunk) (*csr.Chunk, error) {
	r, err := csr.Open(c, s.job.Graph)
	if err != nil {
		return nil, err
	}
	if err := s.validate(ctx, c); err != nil {
		return nil, err
	}
	if err := s.budget.Take(c.Bytes, "the chunk"); err != nil {
		return nil, err
	}
	r.Weights = c.Weights(s.edgeColumns())
	if s.program == nil {
		return r, nil
	}
	if err := s.program.checkWeights(r); err != nil {
		s.budget.Give(c.Bytes)
		return nil, err
	}
	return r, nil
}

// validate looks at every edge of a chunk, unless an earlier session has.
func (s *session) validate(ctx context.Context, c *kit.Chunk) error {
	if s.known.Has(s.job.Arena, c.Identity) {
		return nil
	}
	checks := c.Checks()
	found := make([]error, len(checks))
	if err := s.pool.Run(ctx, len(checks), func(_, i int) { found[i] = checks[i]() }); err != nil {
		return err
	}
	for _, err := range found {
		if err != nil {
			return err
		}
	}
	s.known.Add(s.job.Arena, c.Identity)
	return nil
}

// edgeColumns are the edge properties that kernels read.
func (s *session) edgeColumns() []string {
	if s.program == nil {
		return nil
	}
	return s.program.spec.EdgeColumns
}

func (s *session) evict(number uint32) error {
	r, err := s.resident(number)
	if err != nil {
		return err
	}
	delete(s.chunks, number)
	s.known.Forget(s.job.Arena, r.Data.Identity)
	s.budget.Give(r.Data.Bytes)
	r.Data.Release()
	return nil
}

func (s *session) resident(number uint32) (*csr.Chunk, error) {
	if r := s.chunks[number]; r != nil {
		return r, nil
	}
	return nil, plugins.Errorf(plugins.KindInvalid, "it is not resident")
}

// inOrder are the resident chunks by number: the order of sums.
func (s *session) inOrder() []*csr.Chunk {
	var list []*csr.Chunk
	for _, number := range slices.Sorted(maps.Keys(s.chunks)) {
		list = append(list, s.chunks[number])
	}
	return list
}

// Close forgets the chunks; the arena stays the host's.
func (s *session) Close() error {
	for _, r := range s.chunks {
		r.Data.Release()
	}
	clear(s.chunks)
	return nil
}

// fail is err as this device's error: of its own kind, or of kind when it has none.
func fail(kind plugins.Kind, err error) error { return plugins.Named(deviceName, -1, kind, err) }
