package cuda

import (
	"context"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// ringBytes is the size of each of a ring's buffers: enough that a copy takes longer than to begin it.
const ringBytes = 4 << 20

// ring is two pinned buffers by turns: while the card copies one, the other is filled. It carries what is not pinned
// where it lies.
type ring struct {
	buffers [2][]byte
	done    [2]*driver.Event // of the copy that each is in; nil: of none
	next    int
}

// takeRing is a ring that no session has, or a new one: pinning takes long. It needs the card's context.
func (c *card) takeRing() (*ring, error) {
	c.mu.Lock()
	if last := len(c.rings) - 1; last >= 0 {
		r := c.rings[last]
		c.rings = c.rings[:last]
		c.mu.Unlock()
		return r, nil
	}
	c.mu.Unlock()
	r := &ring{}
	var err error
	for i := range r.buffers {
		if r.buffers[i], err = driver.AllocPinned(ringBytes); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// giveRing gives back a ring that no copy is under way in.
func (c *card) giveRing(r *ring) {
	if r == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	r.done = [2]*driver.Event{}
	c.rings = append(c.rings, r)
}

// turn is the buffer whose turn it is, once nothing is under way in it.
func (s *session) turn(ctx context.Context) (int, error) {
	r := s.ring
	i := r.next
	r.next = 1 - i
	if r.done[i] == nil {
		return i, nil
	}
	err := driver.Await(ctx, r.done[i].Query)
	if err == nil {
		s.events.give(r.done[i])
		r.done[i] = nil
	}
	return i, err
}

// copyIn copies host memory to the card, in a stream's order. The memory may be used again when it returns.
func (s *session) copyIn(ctx context.Context, stream driver.Stream, to driver.Pointer, from []byte) error {
	for len(from) > 0 {
		i, err := s.turn(ctx)
		if err != nil {
			return err
		}
		size := copy(s.ring.buffers[i], from)
		if err := stream.CopyIn(to, s.ring.buffers[i][:size]); err != nil {
			return err
		}
		if s.ring.done[i], err = s.events.mark(stream); err != nil {
			return err
		}
		to, from = to+driver.Pointer(size), from[size:]
	}
	return nil
}

// copyOut copies the card's memory to the host, in a stream's order, and waits for it.
func (s *session) copyOut(ctx context.Context, stream driver.Stream, to []byte, from driver.Pointer) error {
	var before []byte // of to, that the other buffer has
	for len(to) > 0 || len(before) > 0 {
		size := min(len(to), ringBytes)
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
func (s *session) fetch(stream driver.Stream, i, size int, from driver.Pointer) (err error) {
	if size > 0 {
		err = stream.CopyOut(s.ring.buffers[i][:size], from)
	}
	if err == nil {
		s.ring.done[i], err = s.events.mark(stream)
	}
	return err
}
