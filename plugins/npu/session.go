package npu

import (
	"context"
	"errors"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
)

// session is one run. Compile sets program; Execute alone uses the rest.
type session struct {
	device     *device
	job        plugins.Job
	budget     *kit.Budget
	program    *program
	directions []chunk.Direction
	chunks     map[uint32]*resident
	earlier    *legacy // of the session before, until a program takes it over; nil: nothing
	failed     bool    // a command
}

func (s *session) Compile(_ context.Context, task plugins.Task) (plugins.Plan, error) {
	if task.Program == nil {
		return plugins.Plan{}, fail(plugins.KindInternal, plugins.Errorf(plugins.KindUnsupported, "procedure %q: this device runs vertex programs alone; compute it on the device cpu", task.Procedure))
	}
	p, err := compile(s.device, s.budget, s.job, task)
	if err != nil {
		return plugins.Plan{}, fail(plugins.KindInternal, err)
	}
	plan := p.plan(s.job.Graph, task.Layout)
	if err := s.charge(p, plan.Fixed); err != nil {
		return plugins.Plan{}, fail(plugins.KindBudget, err)
	}
	s.program, s.directions = p, plan.Directions
	more := s.inherit()
	plan.Fixed, plan.Kept = plan.Fixed+more, plan.Kept+more
	p.allocate()
	return plan, nil
}

// Execute obeys one command at a time.
func (s *session) Execute(ctx context.Context, commands <-chan plugins.Command, emit func(plugins.Event)) error {
	if s.program == nil {
		return fail(plugins.KindInvalid, errNotCompiled)
	}
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
	began, converted := time.Now(), s.program.conversion
	tell := func(e plugins.Event) {
		e.Seq = c.Seq
		if c.Op == plugins.Upload || c.Op == plugins.Evict {
			e.Transfer = time.Since(began) // nothing is copied, but every edge looked at
		} else {
			e.Transfer = s.program.conversion - converted
			e.Compute = time.Since(began) - e.Transfer
		}
		e.Resident, e.Peak = s.budget.Used, s.budget.Peak
		emit(e)
	}
	last, err := s.obey(ctx, c, tell)
	if err != nil {
		last.Err, s.failed = plugins.Failure(ctx, deviceName, c, err), true
	}
	last.Done = true
	tell(last)
	return last.Err
}

func (s *session) obey(ctx context.Context, c plugins.Command, tell func(plugins.Event)) (plugins.Event, error) {
	switch {
	case c.Op == plugins.Upload:
		return plugins.Event{}, s.upload(c)
	case c.Op == plugins.Evict:
		return plugins.Event{}, s.evict(c.Chunk)
	case c.Op == plugins.Init:
		s.program.start()
		return s.reported(nil)
	case c.Op == plugins.Restore:
		return s.reported(s.program.restore(c.Iteration))
	case c.Op < plugins.Init || c.Op > plugins.Deliver || c.Op == plugins.Call:
		return plugins.Event{}, plugins.Errorf(plugins.KindInvalid, "command %d is none for a program", c.Op)
	case !s.program.started:
		return plugins.Event{}, errNotStarted
	case c.Op == plugins.Deliver:
		return s.reported(s.program.deliver(s.job.Arena, c))
	case s.program.settling != (c.Op == plugins.Settle):
		return plugins.Event{}, errOtherwise
	}
	return s.iteration(ctx, c, tell)
}

// iteration obeys the commands by which a program goes on.
func (s *session) iteration(ctx context.Context, c plugins.Command, tell func(plugins.Event)) (plugins.Event, error) {
	switch c.Op {
	case plugins.Step:
		r, err := s.resident(c.Chunk)
		if err != nil {
			return plugins.Event{}, err
		}
		return plugins.Event{Edges: uint64(len(r.neighbors))}, s.program.step(ctx, c.Chunk, s.chunks)
	case plugins.Apply:
		s.program.turn()
		return s.reported(nil)
	case plugins.Gather:
		return plugins.Event{}, s.program.gather(s.job.Arena, c)
	case plugins.Settle:
		return s.settle(ctx, c)
	}
	edges, err := s.program.iterate(ctx, s.chunks, func(i *plugins.Iteration, edges uint64) {
		tell(plugins.Event{Iteration: i, Edges: edges})
	})
	return plugins.Event{Iteration: s.program.report(), Edges: edges}, err
}

// settle brings the set that a command names to local convergence.
func (s *session) settle(ctx context.Context, c plugins.Command) (plugins.Event, error) {
	set, err := kit.OpenBitmap(s.job.Arena, c.At, s.program.n)
	if err != nil {
		return plugins.Event{}, err
	}
	edges, err := s.program.settle(ctx, s.chunks, set, int(c.Rounds))
	return plugins.Event{Iteration: s.program.report(), Edges: edges}, err
}

func (s *session) reported(err error) (plugins.Event, error) {
	return plugins.Event{Iteration: s.program.report()}, err
}

// upload makes a chunk resident, where it lies; matrices are made of it when it is asked for.
func (s *session) upload(c plugins.Command) error {
	if s.chunks[c.Chunk] != nil {
		return plugins.Errorf(plugins.KindInvalid, "it is resident already")
	}
	opened, err := kit.OpenChunk(s.job, c, s.directions, s.program.spec.EdgeColumns)
	if err != nil {
		return err
	}
	r, err := s.admit(opened)
	if err != nil {
		opened.Release()
		return err
	}
	s.chunks[c.Chunk] = r
	return nil
}

// admit checks a chunk, charges it and makes it ready.
func (s *session) admit(c *kit.Chunk) (*resident, error) {
	if err := s.validate(c); err != nil {
		return nil, err
	}
	if err := s.budget.Take(c.Bytes, "the chunk"); err != nil {
		return nil, err
	}
	r := open(c)
	r.weights = c.Weights(s.program.spec.EdgeColumns)
	if err := s.program.checkWeights(r); err != nil {
		s.budget.Give(c.Bytes)
		return nil, err
	}
	return r, nil
}

// validate looks at every edge of a chunk, unless an earlier session has.
func (s *session) validate(c *kit.Chunk) error {
	if s.device.known.Has(s.job.Arena, c.Identity) {
		return nil
	}
	if err := c.Validate(); err != nil {
		return err
	}
	s.device.known.Add(s.job.Arena, c.Identity)
	return nil
}

func (s *session) evict(number uint32) error {
	r, err := s.resident(number)
	if err != nil {
		return err
	}
	delete(s.chunks, number)
	s.program.disinherit() // what is put there later may be another chunk
	s.device.known.Forget(s.job.Arena, r.chunk.Identity)
	s.budget.Give(r.chunk.Bytes)
	r.chunk.Release()
	return nil
}

func (s *session) resident(number uint32) (*resident, error) {
	if r := s.chunks[number]; r != nil {
		return r, nil
	}
	return nil, plugins.Errorf(plugins.KindInvalid, "it is not resident")
}

// Close forgets the chunks, and leaves the matrix to the next session; the arena stays the host's.
func (s *session) Close() error {
	s.leave()
	for _, r := range s.chunks {
		r.chunk.Release()
	}
	clear(s.chunks)
	return nil
}

// fail is err as this device's error: of its own kind, or of kind when it has none.
func fail(kind plugins.Kind, err error) error { return plugins.Named(deviceName, -1, kind, err) }

var errNotCompiled = errors.New("there is no program: Compile comes first")
