package commands

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/residency"
)

// Order is a command that has come. Uploads are begun at once, so that what they bring is copied while
// the card does what came before.
type Order struct {
	Command plugins.Command

	upload *residency.Upload // begun; nil: it is begun when it is its turn
	err    error             // why it could not be
}

// next is the next order; nil when there are no more commands, and everything has been answered.
func (l *Loop) next(ctx context.Context) (*Order, error) {
	for idle := 0; ; idle++ {
		if err := l.answerDone(ctx); err != nil {
			return nil, err
		}
		if len(l.orders) > 0 {
			o := l.orders[0]
			l.orders = l.orders[1:]
			return o, nil
		}
		if l.closed && len(l.answers) == 0 {
			return nil, nil //nolint:nilnil // there is nothing, and nothing is wrong
		}
		if err := l.listen(ctx, idle); err != nil {
			return nil, err
		}
	}
}

// listen takes a command that comes. While answers are owed it rests a little, and takes one only if it is there.
func (l *Loop) listen(ctx context.Context, idle int) error {
	if len(l.answers) > 0 {
		driver.Rest(idle)
		return l.look(ctx)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case c, more := <-l.coming():
		l.take(ctx, c, more)
	}
	return nil
}

// look takes a command that is there.
func (l *Loop) look(ctx context.Context) error {
	select {
	case c, more := <-l.coming():
		l.take(ctx, c, more)
	default:
	}
	return ctx.Err()
}

// coming is where commands come from.
func (l *Loop) coming() <-chan plugins.Command {
	if l.closed {
		return nil
	}
	return l.Commands
}

// take makes an order of a command.
func (l *Loop) take(ctx context.Context, c plugins.Command, more bool) {
	if l.closed = !more; l.closed {
		return
	}
	l.orders = append(l.orders, &Order{Command: c})
	l.beginUploads(ctx)
}
