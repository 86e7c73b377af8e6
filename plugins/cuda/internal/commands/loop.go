// Package commands is the dialog of an Execute: commands that come are put into the card's queues in order, and
// answered in order once the card has done them.
//
//	channel ──▶ Order, of which Uploads are begun at once             (orders.go, uploads.go)
//	Order ──Session.Obey──▶ Work in the card's queues                 (loop.go)
//	Work, once its last event has taken place ──▶ the last event of its command    (answers.go)
//
// All of it is done by one goroutine, which waits by asking, never by blocking in the driver: a kernel that hangs
// cannot keep it from ending when its context does. A command that asks the card again and again waits by Await:
// meanwhile earlier commands are answered, and of later ones the Uploads are begun.
package commands

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/internal/residency"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"github.com/penstock-db/penstock/plugins/kit"
)

// Session obeys commands.
type Session interface {
	// Obey puts a command into the card's queues. Some it does to the end: those that ask the card again and again.
	Obey(ctx context.Context, l *Loop, o *Order) (*stream.Work, error)
	// Explain gives an error its kind, and the chunk that a command is about.
	Explain(ctx context.Context, c plugins.Command, err error) error
	// Leave ends a session that has obeyed everything.
	Leave(ctx context.Context) error
}

// Setup is what a loop works with.
type Setup struct {
	Session  Session
	Commands <-chan plugins.Command
	Emit     func(plugins.Event)
	Streams  *stream.Streams
	Chunks   *residency.Residency
	Budget   *kit.Budget
}

// Loop is one Execute. It belongs to the session's thread.
type Loop struct {
	Setup

	closed  bool      // there are no more commands
	orders  []*Order  // that have come, and are not obeyed yet
	short   bool      // the upload whose turn it is waits for memory
	answers []*answer // of commands that are in the card's queues
	ended   error     // what Run returns: it has been told
}

// Run obeys all commands. It returns the error of one that has been told, or an error that concerns no command.
func Run(ctx context.Context, setup Setup) error {
	l := &Loop{Setup: setup}
	for l.ended == nil {
		o, err := l.next(ctx)
		switch {
		case err != nil:
			return l.stop(ctx, err)
		case o == nil:
			return l.stop(ctx, l.Session.Leave(ctx))
		}
		l.put(ctx, o)
	}
	return l.ended
}

// stop is what Run returns: what has been told already, or an error that concerns no command.
func (l *Loop) stop(ctx context.Context, err error) error {
	if l.ended == nil {
		l.ended = l.Session.Explain(ctx, plugins.Command{}, err)
	}
	return l.ended
}

// put puts an order into the card's queues.
func (l *Loop) put(ctx context.Context, o *Order) {
	work, err := l.obey(ctx, o)
	if l.ended != nil {
		return // meanwhile an earlier command has failed
	}
	if err != nil {
		work = &stream.Work{}
	}
	l.answers = append(l.answers, &answer{Work: work, command: o.Command, err: err})
	for err != nil && l.ended == nil { // nothing is obeyed after it
		if err := l.wait(ctx, l.answers[0]); err != nil {
			_ = l.stop(ctx, err)
		}
	}
}

// obey has the session do it, once there are letters for what is small.
func (l *Loop) obey(ctx context.Context, o *Order) (*stream.Work, error) {
	for l.Streams.Mail.IsEmpty() && len(l.answers) > 0 {
		if err := l.wait(ctx, l.answers[0]); err != nil {
			return nil, err
		}
	}
	return l.Session.Obey(ctx, l, o)
}
