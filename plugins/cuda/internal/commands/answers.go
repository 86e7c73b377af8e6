package commands

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
)

// answer is a command in the queues, and what it has put there: its last event is owed.
type answer struct {
	*stream.Work

	command plugins.Command
	err     error // of the command itself
}

// wait answers the first command that is not answered, once it is done.
func (l *Loop) wait(ctx context.Context, a *answer) error {
	for idle := 0; ; idle++ {
		if err := l.answerDone(ctx); err != nil {
			return err
		}
		if len(l.answers) == 0 || l.answers[0] != a {
			return nil
		}
		if err := l.listen(ctx, idle); err != nil {
			return err
		}
	}
}

// Drain waits until all commands that came before have been answered: for those that look at what they have left in the
// arena.
func (l *Loop) Drain(ctx context.Context) error {
	for len(l.answers) > 0 {
		if err := l.wait(ctx, l.answers[0]); err != nil {
			return err
		}
	}
	return nil
}

// answerDone answers what the card has done, in order.
func (l *Loop) answerDone(ctx context.Context) error {
	for len(l.answers) > 0 && l.ended == nil {
		a := l.answers[0]
		done, err := a.IsDone()
		if err == nil && !done {
			return nil
		}
		l.answers = l.answers[1:]
		if err == nil {
			err = a.err
		}
		if err := l.answer(ctx, a, err); err != nil {
			l.ended = err
			return err
		}
	}
	return l.ended
}

// answer emits a command's last event.
func (l *Loop) answer(ctx context.Context, a *answer, err error) error {
	e := plugins.Event{Seq: a.command.Seq, Done: true}
	if err == nil {
		err = l.clock(a, &e)
	}
	if err == nil && a.Finish != nil {
		err = a.Finish(&e)
	}
	if err != nil {
		e = plugins.Event{Seq: a.command.Seq, Done: true, Err: l.Session.Explain(ctx, a.command, err)}
	}
	e.Resident, e.Peak = l.Budget.Used, l.Budget.Peak
	l.Emit(e)
	return e.Err
}

// clock says how long the card took, and gives the events back. Of an upload it is the copying: the checks wait for
// kernels.
func (l *Loop) clock(a *answer, e *plugins.Event) (err error) {
	switch {
	case a.Began == nil:
		return nil
	case a.Copied != nil:
		e.Transfer, err = a.Copied.Since(*a.Began)
		l.Streams.Recycle(a.Copied)
	case a.command.Op != plugins.Evict:
		e.Compute, err = a.Done.Since(*a.Began)
	}
	l.Streams.Recycle(a.Began, a.Done)
	return err
}

// Await waits for an event within a command; meanwhile earlier commands are answered, and later ones looked at.
func (l *Loop) Await(ctx context.Context, e *driver.Event) error {
	for idle := 0; ; idle++ {
		if done, err := e.Query(); done || err != nil {
			return err
		}
		if err := l.answerDone(ctx); err != nil {
			return err
		}
		driver.Rest(idle)
		if err := l.look(ctx); err != nil {
			return err
		}
	}
}
