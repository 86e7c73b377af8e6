package cuda

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// answer is what a command comes to, once the card has come to it.
type answer struct {
	command plugins.Command
	began   *driver.Event // nil: the card is not asked
	copied  *driver.Event // of an upload; nil: nothing is
	done    *driver.Event
	finish  func(*plugins.Event) error // completes the event; may be nil
	err     error                      // of the command itself
}

// put puts an order into the card's queues.
func (s *session) put(ctx context.Context, o *order) {
	a, err := s.obey(ctx, o)
	if s.ended != nil {
		return // meanwhile an earlier command has failed
	}
	if err != nil {
		a = &answer{err: err}
	}
	a.command = o.command
	s.answers = append(s.answers, a)
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
		done, err := a.isDone()
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

func (a *answer) isDone() (bool, error) {
	if a.done == nil {
		return true, nil
	}
	return a.done.Query()
}

// answer emits a command's last event.
func (s *session) answer(ctx context.Context, a *answer, err error) error {
	e := plugins.Event{Seq: a.command.Seq, Done: true}
	if err == nil {
		err = s.clock(a, &e)
	}
	if err == nil && a.finish != nil {
		err = a.finish(&e)
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
	case a.began == nil:
		return nil
	case a.copied != nil:
		e.Transfer, err = a.copied.Since(*a.began)
		s.events.give(a.copied)
	case a.command.Op != plugins.Evict:
		e.Compute, err = a.done.Since(*a.began)
	}
	s.events.give(a.began, a.done)
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
