package cuda

import (
	"context"
	"errors"
	"time"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/internal/call"
	"github.com/penstock-db/penstock/plugins/cuda/internal/card"
	"github.com/penstock-db/penstock/plugins/cuda/internal/commands"
	"github.com/penstock-db/penstock/plugins/cuda/internal/engine"
	"github.com/penstock-db/penstock/plugins/cuda/internal/network"
	"github.com/penstock-db/penstock/plugins/cuda/internal/residency"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"github.com/penstock-db/penstock/plugins/internal/check"
	"github.com/penstock-db/penstock/plugins/kit"
)

// session is one run. Everything after open is done on its thread.
type session struct {
	card    *card.Card
	job     plugins.Job
	managed bool // chunks lie in unified memory

	products network.Products

	budget *kit.Budget
	thread *card.Thread

	streams *stream.Streams
	task    task
	program *engine.Engine // the task, if it is one
	call    *call.Call     // or one of these
	network *network.Task  // or a network
	plan    plugins.Plan
	ready   bool                 // Compile has said yes
	chunks  *residency.Residency // nil before Compile

	closing context.Context // ends when Close is called, and Execute with it
	close   context.CancelFunc
}

// task is what a session computes: a program, a procedure or a network.
type task interface {
	Plan(plugins.Graph) plugins.Plan
	EdgeColumns() []string         // that kernels read
	Prepare(context.Context) error // takes the card's memory, which has been charged
	Publish(context.Context) error // copies to the arena what is not there yet
	Free() error
}

// open makes what every session has.
func (s *session) open() (err error) {
	s.closing, s.close = context.WithCancel(context.Background())
	if s.thread, err = card.NewThread(s.card.Context); err != nil {
		return err
	}
	err = s.thread.Do(func() (err error) {
		s.streams, err = stream.Open(s.card)
		return err
	})
	if err != nil {
		return errors.Join(s.card.Note(err), s.Close())
	}
	return nil
}

func (s *session) Compile(ctx context.Context, task plugins.Task) (plugins.Plan, error) {
	err := s.thread.Do(func() error { return s.compile(ctx, task) })
	if err != nil {
		return plugins.Plan{}, fail(-1, plugins.KindInternal, s.card.Note(err))
	}
	return s.plan, nil
}

func (s *session) compile(ctx context.Context, asked plugins.Task) error {
	if err := s.compileTask(asked); err != nil {
		return err
	}
	s.plan = s.task.Plan(s.job.Graph)
	s.plan.Selects = asked.ActiveRows && s.plan.ActiveRows && residency.CanSelect(s.card, s.job.Arena, s.managed)
	charge := s.budget.TakeTask
	if s.plan.Grid { // no chunks come
		charge = func(fixed uint64) error { return s.budget.Take(fixed, "the task") }
	}
	if err := charge(s.plan.Fixed); err != nil {
		return err
	}
	setup := residency.Setup{Card: s.card, Streams: s.streams, Budget: s.budget, Job: s.job, Managed: s.managed,
		Plan: s.plan, Columns: s.task.EdgeColumns()}
	if s.program != nil {
		setup.Settles = s.program.Settles()
	}
	s.chunks = residency.New(setup)
	err := s.task.Prepare(ctx)
	s.ready = err == nil
	return err
}

func (s *session) compileTask(asked plugins.Task) (err error) {
	if err := check.Task(asked, s.job.Graph.Vertices, 0); err != nil {
		return err
	}
	if asked.Network != nil {
		if s.network, err = network.New(s.card, s.streams, s.job, asked, s.products); err == nil {
			s.task = s.network
		}
		return err
	}
	if asked.Program == nil {
		if s.call, err = call.New(s.card, s.streams, s.job, asked); err == nil {
			s.task = s.call
		}
		return err
	}
	with := engine.With{Card: s.card, Streams: s.streams, Budget: s.budget, Arena: s.job.Arena}
	s.program, err = engine.New(with, s.job, asked)
	s.task = s.program // in any case: what it has loaded is to be freed
	return err
}

// Execute obeys the commands that come, until there are no more or one fails.
func (s *session) Execute(ctx context.Context, coming <-chan plugins.Command, emit func(plugins.Event)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.closing, cancel)()
	return s.thread.Do(func() error {
		if !s.ready {
			return fail(-1, plugins.KindInvalid, check.ErrNotCompiled)
		}
		s.chunks.Enter()
		return commands.Run(ctx, commands.Setup{Session: s, Commands: coming, Emit: emit, Streams: s.streams,
			Chunks: s.chunks, Budget: s.budget})
	})
}

// Leave ends a session that has obeyed everything.
func (s *session) Leave(ctx context.Context) error {
	if err := s.task.Publish(ctx); err != nil {
		return err
	}
	return s.chunks.Leave()
}

// closePatience is how long Close waits for the card to end what it does.
const closePatience = 5 * time.Second

// Close gives back everything, unless the card is lost, or hangs: then nothing can be.
func (s *session) Close() error {
	s.close()
	defer s.thread.End()
	return fail(-1, plugins.KindInternal, s.thread.Do(s.giveBack))
}

func (s *session) giveBack() error {
	if s.card.Fate() != nil {
		return nil //nolint:nilerr // it has been told
	}
	if err := s.becomeIdle(); err != nil {
		return s.card.Note(err)
	}
	var errs []error
	if s.chunks != nil {
		errs = append(errs, s.chunks.Close())
	}
	if s.task != nil {
		errs = append(errs, s.task.Free())
	}
	return s.card.Note(errors.Join(append(errs, s.streams.Close())...))
}

// becomeIdle waits until nothing of the session is under way.
func (s *session) becomeIdle() error {
	ctx, cancel := context.WithTimeout(context.Background(), closePatience)
	defer cancel()
	err := s.streams.Idle(ctx)
	if ctx.Err() != nil {
		err = plugins.Errorf(plugins.KindInternal,
			"the card has not ended its work within %v: a kernel hangs, and this process cannot use the card any more",
			closePatience)
		s.card.Lose(err)
	}
	return err
}
