package cuda

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/residency"
)

// order is a command that has come. Uploads are begun at once, so that what they bring is copied while
// the card does what came before.
type order struct {
	command plugins.Command
	upload  *residency.Upload // begun; nil: it is begun when it is its turn
	err     error             // why it could not be
}

// next is the next order; nil when there are no more commands, and everything has been answered.
func (s *session) next(ctx context.Context) (*order, error) {
	for idle := 0; ; idle++ {
		if err := s.answerDone(ctx); err != nil {
			return nil, err
		}
		if len(s.orders) > 0 {
			o := s.orders[0]
			s.orders = s.orders[1:]
			return o, nil
		}
		if s.closed && len(s.answers) == 0 {
			return nil, nil //nolint:nilnil // there is nothing, and nothing is wrong
		}
		if err := s.listen(ctx, idle); err != nil {
			return nil, err
		}
	}
}

// listen takes a command that comes: at once, while the card owes answers, and after a rest.
func (s *session) listen(ctx context.Context, idle int) error {
	if len(s.answers) > 0 {
		driver.Rest(idle)
		return s.look(ctx)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case c, more := <-s.coming():
		s.take(ctx, c, more)
	}
	return nil
}

// look takes a command that is there.
func (s *session) look(ctx context.Context) error {
	select {
	case c, more := <-s.coming():
		s.take(ctx, c, more)
	default:
	}
	return ctx.Err()
}

// coming is where commands come from.
func (s *session) coming() <-chan plugins.Command {
	if s.closed {
		return nil
	}
	return s.commands
}

// take makes an order of a command.
func (s *session) take(ctx context.Context, c plugins.Command, more bool) {
	if s.closed = !more; s.closed {
		return
	}
	s.orders = append(s.orders, &order{command: c})
	s.beginUploads(ctx)
}

// beginUploads begins those that have come, in order, as far as there is memory. The first that finds none is tried
// again when its turn comes: what stands before it may be an Evict. Until then those behind it wait as well, for a
// smaller one would take the room that it is waiting for.
func (s *session) beginUploads(ctx context.Context) {
	for _, o := range s.orders {
		if o.command.Op != plugins.Upload || o.upload != nil || o.err != nil {
			continue
		}
		if s.short || !s.streams.Mail.HasRoom() {
			return
		}
		if o.upload, o.err = s.chunks.Begin(ctx, o.command); isFull(o.err) {
			o.err = nil
			return
		}
	}
}
