package residency

import "errors"

// admit takes memory for a chunk, if the budget agrees.
func (s *Residency) admit(r *Chunk) (err error) {
	if err := s.Budget.Take(r.bytes, "the chunk"); err != nil {
		return err
	}
	if s.Managed {
		r.memory, err = s.Card.Context.AllocManaged(r.bytes)
	} else {
		r.memory, err = s.Streams.Copying.Alloc(r.bytes)
	}
	if err != nil {
		s.Budget.Give(r.bytes)
	}
	return err
}

// free gives a chunk's memory back, which nothing on the card uses any more: in the queue that takes memory for the
// next chunk, so that this one may have it at once. In another the driver would have the copy wait for what kernels are
// queued there.
func (s *Residency) free(r *Chunk) error {
	r.leaveArena()
	s.Budget.Give(r.bytes)
	if s.Managed {
		return s.Card.Context.FreeManaged(r.memory)
	}
	return errors.Join(s.dropSelection(r), s.Streams.Copying.Free(r.memory))
}
