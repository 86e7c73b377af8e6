package cuda

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
)

// answer is what a command comes to, once the card has come to it.
type answer struct {
	*stream.Work

	command plugins.Command
	err     error // of the command itself
}

// put puts an order into the card's queues.
func (s *session) put(ctx context.Context, o *order) {
	work, err := s.obey(ctx, o)
	if s.ended != nil {
		return // meanwhile an earlier command has failed
	}
	if err != nil {
		work = &stream.Work{}
	}
	s.answers = append(s.answers, &answer{Work: work, command: o.command, err: err})
	for err != nil && s.ended == nil { // nothing is obeyed after it
		if err := s.wait(ctx, s.answers[0]); err != nil {
			_ = s.stop(ctx, err)
		}
	}
}

// wait answers the first command that is not answered, once it is done.
func (s *session) wait(ctx context.Context, a *answer) error {
	for idle := 0; ; idle++ {
		if err := s.answerDone(ctx); err != nil {
			return err
		}
		if len(s.answers) == 0 || s.answers[0] != a {
			return nil
		}
		if err := s.listen(ctx, idle); err != nil {
			return err
		}
	}
}

// drain waits until all commands that came before have been answered: for those that look at what they have left in the
// arena.
func (s *session) drain(ctx context.Context) error {
	for len(s.answers) > 0 {
		if err := s.wait(ctx, s.answers[0]); err != nil {
			return err
		}
	}
	return nil
}

// answerDone answers what the card has done, in order.
func (s *session) answerDone(ctx context.Context) error {
	for len(s.answers) > 0 && s.ended == nil {
		a := s.answers[0]
		done, err := a.IsDone()
		if err == nil && !done {
			return nil
		}
		s.answers = s.answers[1:]
		if err == nil {
			err = a.err
		}
		if err := s.answer(ctx, a, err); err != nil {
			s.ended = err
			return err
		}
	}
	return s.ended
}

// answer emits a command's last event.
func (s *session) answer(ctx context.Context, a *answer, err error) error {
	e := plugins.Event{Seq: a.command.Seq, Done: true}
	if err == nil {
		err = s.clock(a, &e)
	}
	if err == nil && a.Finish != nil {
		err = a.Finish(&e)
	}
	if err != nil {
		e = plugins.Event{Seq: a.command.Seq, Done: true, Err: s.explain(ctx, a.command, err)}
	}
	e.Resident, e.Peak = s.budget.Used, s.budget.Peak
	s.emit(e)
	return e.Err
}

// clock says how long the card took, and gives the events back. Of an upload it is the copying: the checks wait for
// kernels.
func (s *session) clock(a *answer, e *plugins.Event) (err error) {
	switch {
	case a.Began == nil:
		return nil
	case a.Copied != nil:
		e.Transfer, err = a.Copied.Since(*a.Began)
		s.streams.Recycle(a.Copied)
	case a.command.Op != plugins.Evict:
		e.Compute, err = a.Done.Since(*a.Began)
	}
	s.streams.Recycle(a.Began, a.Done)
	return err
}

// await waits for an event within a command; meanwhile earlier commands are answered, and later ones looked at.
func (s *session) await(ctx context.Context, e *driver.Event) error {
	for idle := 0; ; idle++ {
		if done, err := e.Query(); done || err != nil {
			return err
		}
		if err := s.answerDone(ctx); err != nil {
			return err
		}
		driver.Rest(idle)
		if err := s.look(ctx); err != nil {
			return err
		}
	}
}
