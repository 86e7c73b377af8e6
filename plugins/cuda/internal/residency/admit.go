package residency

import (
	"errors"

	"github.com/penstock-db/penstock/plugins"
)

// admit takes memory for a chunk, if the budget agrees; some that can be lent, if it is to be exported and there is
// any.
func (s *Residency) admit(r *Chunk, export bool) (err error) {
	if err := s.Budget.Take(r.bytes, "the chunk"); err != nil {
		return err
	}
	switch {
	case s.Managed:
		r.memory, err = s.Card.Context.AllocManaged(r.bytes)
	case export && r.selection == nil && s.lend(r):
	default:
		r.memory, err = s.Streams.Copying.Alloc(r.bytes)
	}
	if err != nil {
		s.Budget.Give(r.bytes)
	}
	return err
}

// lend takes memory for a chunk that is to be exported. It tells whether there was any.
func (s *Residency) lend(r *Chunk) bool {
	s.lending.Open(s.Card.Context, func() uint64 {
		size := allChunks(s.Job.Graph, s.Plan, len(s.Columns))
		if limit := s.Budget.Limit; limit > 0 {
			size = min(size, limit-(s.Budget.Used-r.bytes)) // as much as the budget leaves to chunks
		}
		return size
	})
	at, taken := s.lending.Take(r.bytes)
	if taken > 0 {
		r.memory, r.lent = at, taken
	}
	return taken > 0
}

// allChunks is about as much as all chunks of the run take. What is more is not lent.
func allChunks(g plugins.Graph, plan plugins.Plan, columns int) uint64 {
	edges := 2 * g.Edges
	if g.Directed {
		edges = uint64(len(plan.Directions)) * g.Edges
	}
	const neighbor, column, row = 4, 8 + 8 + 1, 16 // a column may be converted, and have nulls
	return 1<<20 + edges*(neighbor+column*uint64(columns)) + row*2*g.Vertices
}

// free gives a chunk's memory back, which nothing on the card uses any more: in the queue that takes memory for the
// next chunk, so that this one may have it at once. In another the driver would have the copy wait for what kernels are
// queued there.
func (s *Residency) free(r *Chunk) error {
	r.leaveArena()
	s.Budget.Give(r.bytes)
	switch {
	case r.lent > 0:
		s.lending.Give(r.memory, r.lent)
		return nil
	case s.Managed:
		return s.Card.Context.FreeManaged(r.memory)
	}
	return errors.Join(s.dropSelection(r), s.Streams.Copying.Free(r.memory))
}
