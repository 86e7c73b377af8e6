// Package stream is how a session has the card work: commands are put into queues, which the card does in order, and an
// event at the end of each says when it has. It belongs to the session's thread.
//
//	                         Choosing   which rows of a chunk, where not all
//	arena ──CopyIn──▶        Copying    chunks, by pinned buffers where the arena is not pinned       (ring.go)
//	                         Checking   lists are validated, columns converted
//	arena ◀──CopyOut──       Computing  Init, Step, Apply …
//	Letter ◀──▶ Mailbox      what is small and goes by the side of large copies: counters, flags     (mailbox.go)
//	Timed ──▶ Work           between two events; Took and Finish once the last has taken place        (work.go)
package stream

import (
	"context"
	"errors"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/card"
)

// Streams are a session's queues on the card, and the pinned memory by which it is talked to.
type Streams struct {
	Choosing, Copying, Checking, Computing driver.Stream

	Mail *Mailbox

	card   *card.Card
	made   []driver.Stream
	events events
	ring   ring
}

// Open makes the queues. What it has made before it fails is returned as well, for Close.
func Open(c *card.Card) (s *Streams, err error) {
	s = &Streams{card: c, events: events{context: c.Context}}
	for _, stream := range []*driver.Stream{&s.Choosing, &s.Copying, &s.Checking, &s.Computing} {
		if *stream, err = c.Context.NewStream(); err != nil {
			return s, err
		}
		s.made = append(s.made, *stream)
	}
	if s.Mail, err = newMailbox(); err != nil {
		return s, err
	}
	s.ring.buffers, err = c.TakeBuffers()
	return s, err
}

// Mark records an event on a stream.
func (s *Streams) Mark(on driver.Stream) (*driver.Event, error) { return s.events.mark(on) }

// Recycle takes events back that have taken place, or that are asked for no more.
func (s *Streams) Recycle(events ...*driver.Event) { s.events.give(events...) }

// Idle waits until nothing of the session is under way.
func (s *Streams) Idle(ctx context.Context) error {
	for _, stream := range s.made {
		if err := driver.Await(ctx, stream.Query); err != nil {
			return err
		}
	}
	return nil
}

// Close gives everything back. Nothing may be under way.
func (s *Streams) Close() error {
	if s.ring.buffers[0] != nil {
		s.card.GiveBuffers(s.ring.buffers)
	}
	errs := []error{s.Mail.free(), s.events.destroy()}
	for _, stream := range s.made {
		errs = append(errs, stream.Destroy())
	}
	return errors.Join(errs...)
}
