package stream

import (
	"context"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/card"
)

// ring is the card's two pinned buffers by turns: while the card copies one, the other is filled. It carries what is
// not pinned where it lies.
type ring struct {
	buffers card.Buffers
	done    [2]*driver.Event // of the copy that each is in; nil: of none
	next    int
}

// turn is the buffer whose turn it is, once nothing is under way in it.
func (s *Streams) turn(ctx context.Context) (int, error) {
	r := &s.ring
	i := r.next
	r.next = 1 - i
	if r.done[i] == nil {
		return i, nil
	}
	err := driver.Await(ctx, r.done[i].Query)
	if err == nil {
		s.Recycle(r.done[i])
		r.done[i] = nil
	}
	return i, err
}

// CopyIn copies host memory to the card, in a stream's order. The memory may be used again when it returns.
func (s *Streams) CopyIn(ctx context.Context, stream driver.Stream, to driver.Pointer, from []byte) error {
	for len(from) > 0 {
		i, err := s.turn(ctx)
		if err != nil {
			return err
		}
		size := copy(s.ring.buffers[i], from)
		if err := stream.CopyIn(to, s.ring.buffers[i][:size]); err != nil {
			return err
		}
		if s.ring.done[i], err = s.Mark(stream); err != nil {
			return err
		}
		to, from = to+driver.Pointer(size), from[size:]
	}
	return nil
}

// CopyOut copies the card's memory to the host, in a stream's order, and waits for it.
func (s *Streams) CopyOut(ctx context.Context, stream driver.Stream, to []byte, from driver.Pointer) error {
	var before []byte // of to, that the other buffer has
	for len(to) > 0 || len(before) > 0 {
		size := min(len(to), card.BufferBytes)
		i, err := s.turn(ctx)
		if err != nil {
			return err
		}
		if err := s.fetch(stream, i, size, from); err != nil {
			return err
		}
		if len(before) > 0 {
			if err := driver.Await(ctx, s.ring.done[1-i].Query); err != nil {
				return err
			}
			copy(before, s.ring.buffers[1-i])
		}
		before, to, from = to[:size], to[size:], from+driver.Pointer(size)
	}
	return nil
}

// fetch has the card copy to a buffer.
func (s *Streams) fetch(stream driver.Stream, i, size int, from driver.Pointer) (err error) {
	if size > 0 {
		err = stream.CopyOut(s.ring.buffers[i][:size], from)
	}
	if err == nil {
		s.ring.done[i], err = s.Mark(stream)
	}
	return err
}
