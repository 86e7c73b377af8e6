package nearest

import (
	"context"
	"iter"
	"sync/atomic"

	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/internal/schedule"
)

// search goes breadth-first from active vertices through those that nothing has reached, through lists that are on the
// device as well: as the wave will. It is stopped at will, and goes on after that, so that it looks at each list about
// once while a wave passes.
type search struct {
	lists   *supply.Lists
	values  []uint64 // of all vertices, as they lie in memory that the device writes
	nothing uint64   // the value of a vertex that has not been reached

	seen    schedule.Bitmap // who has been come by
	order   []uint32        // them, in that order
	next    int             // in order: whose list is looked at next
	offered int             // in order: up to where shipments have had their choice
	looked  int             // lists that were looked at for this shipment
	early   int             // and for the next
}

// begin starts anew at some vertices.
func (s *search) begin(from iter.Seq[uint64]) {
	clear(s.seen)
	s.order, s.next, s.offered = s.order[:0], 0, 0
	for v := range from {
		s.meet(v)
	}
}

// meet comes by a vertex.
func (s *search) meet(v uint64) {
	s.seen.Add(v)
	s.order = append(s.order, uint32(v))
}

// look comes by the neighbors of the next vertex; there may be no more.
func (s *search) look(ctx context.Context) (more bool, err error) {
	if s.next == len(s.order) {
		return false, nil
	}
	neighbors, base, err := s.lists.Of(ctx, uint64(s.order[s.next]))
	s.next++
	s.looked++
	for _, local := range neighbors {
		if u := base + uint64(local); !s.seen.Has(u) && !s.reached(u) {
			s.meet(u)
		}
	}
	return true, err
}

// reached tells whether a message has reached a vertex; also that which is just written.
func (s *search) reached(v uint64) bool { return atomic.LoadUint64(&s.values[v]) != s.nothing }
