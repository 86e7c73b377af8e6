package engine

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
)

// sorted settles in topological order, on one worker: each vertex sends once all have that lead to it (Kahn,
// "Topological sorting of large networks", 1962). So do programs whose messages may be better than what their senders
// have. Longer ways may bring better values there, and in rounds whatever lies behind would be corrected over and over,
// along a path with short cuts as often as it has vertices.
//
// What cycles keep waiting is left to rounds.
type sorted struct {
	// waits is, of each vertex, for how many edges it waits, from vertices that have yet to send. Of one that waits for
	// none and has yet to send itself, it is 1 + the next such one. All are 0 between two commands.
	waits []uint32
	ready uint32 // 1 + the first such one; 0: none
	count int    // of those that have become ready
}

// sortedBytes is what it takes of a vertex.
const sortedBytes = 4

// newSorted is nil for programs of another shape.
func newSorted(p *Program) *sorted {
	if p.Code.Steps.Known || p.Code.Spec.Order != algorithms.Monotone || !p.takesLists() || p.N >= maxShort-1 {
		return nil
	}
	return &sorted{}
}

func (s *sorted) scratch(n int) uint64 {
	if s == nil {
		return 0
	}
	return sortedBytes * uint64(n)
}

func (s *sorted) allocate(n int) {
	if s != nil {
		s.waits = make([]uint32, n)
	}
}

// settle has the active vertices of complete send, and those of complete that they reach, as far as there is an order.
// by has the lists.
func (s *sorted) settle(ctx context.Context, p *Program, by *short, complete []uint64) (edges uint64, err error) {
	if err := p.empty(ctx); err != nil {
		return 0, err
	}
	if err = s.start(ctx, by, complete); err == nil {
		edges, err = s.send(ctx, p, by, complete)
	}
	if err != nil || uint64(s.count) < bitmap.Count(complete) {
		clear(s.waits)
	}
	p.Progress.Iteration++
	p.prepared = false
	return edges, err
}

// start counts for what each vertex waits.
func (s *sorted) start(ctx context.Context, by *short, complete []uint64) error {
	for v := range bitmap.Members(complete) {
		by.neighbors(uint32(v), func(u uint32) { s.waits[u]++ })
		if v%settledApart == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	s.ready, s.count = 0, 0
	for v := range bitmap.Members(complete) {
		if s.waits[v] == 0 {
			s.put(uint32(v))
		}
	}
	return nil
}

// put has v, which waits for nothing, be the first that is ready.
func (s *sorted) put(v uint32) {
	s.waits[v], s.ready = s.ready, v+1
	s.count++
}

// send has one after the other send that is ready.
func (s *sorted) send(ctx context.Context, p *Program, by *short, complete []uint64) (edges uint64, err error) {
	for sent := 1; s.ready != 0; sent++ {
		v := s.ready - 1
		s.ready, s.waits[v] = s.waits[v], 0
		if bitmap.Has(p.Active, int(v)) { // else nothing better has come to it
			by.front = append(by.front[:0], v)
			edges += uint64(by.degree(v))
			by.iterate(p)
		}
		by.neighbors(v, func(u uint32) {
			if s.waits[u]--; s.waits[u] == 0 && bitmap.Has(complete, int(u)) {
				s.put(u)
			}
		})
		if sent%settledApart == 0 && ctx.Err() != nil {
			return edges, ctx.Err()
		}
	}
	return edges, nil
}
