package engine

import (
	"context"
	"math"
	"slices"

	"github.com/penstock-db/penstock/plugins/internal/bitmap"
)

// In rounds of all active vertices, as Bellman and Ford have them, a Settle looks at edges again and again where values
// come to a region from many sides, or along many ways, and most of them are outdone: in intervals of a ring of 400,000
// vertices with short cuts, a hundred times (docs/experiments.md, "Rounds that look again"). Once a Settle has looked
// at more than rework times as many edges as there are, it goes on nearest first, on one worker:
//
//  1. The active vertices with the best values come into a queue that has room for some; the bound of those is drawn
//     from a sample, if there are more.
//  2. The best of the queue sends, and those that it gives a better value within the bound join the queue, while there
//     is room. Others wait in the active set.
//  3. When the queue is empty it is 1. again, until no vertex of the set is active.
//
// So about every vertex sends once (Dijkstra 1959). Messages may come in any order, so that the result is the same.
// Where edges make values better, the order may be a bad one: then rounds go on once it has looked at patience times as
// many edges as there are. They do so as well for a vertex that has more edges than a short list. The queue takes 16
// bytes for 64 vertices, and 128 KiB at most.

// rework and patience are how many times as many edges as there are rounds, and then the queue, may look at.
const rework, patience = 1, 16

// nearSamples is how many active vertices the bound is drawn from, at most.
const nearSamples = 512

// waiting is a vertex of the queue: the key of its value, the best being the least. It counts as long as that is its
// value, and it is active.
type waiting struct {
	key    int64
	vertex uint32
}

// nearestFirst brings the set of a Settle to local convergence, or gives up once it has looked at enough edges.
func (s *short) nearestFirst(ctx context.Context, p *Program, enough uint64) (edges uint64, err error) {
	if s == nil {
		return 0, nil
	}
	if err := p.empty(ctx); err != nil {
		return 0, err
	}
	s.clear()
	for taken := 0; err == nil && edges < enough && s.gather(p); {
		for len(s.queue) > 0 && err == nil && edges < enough {
			if taken++; taken%settledApart == 0 {
				err = ctx.Err()
			}
			next := s.take()
			if v := next.vertex; !bitmap.Has(p.Active, int(v)) || s.key(p, v) != next.key {
				continue // it has sent since
			} else if s.clear(); !s.add(v) {
				continue // it has too many edges
			}
			edges += uint64(s.edges)
			s.iterate(p)
			for _, u := range s.front {
				if key := s.key(p, u); key <= s.bound {
					s.put(waiting{key: key, vertex: u})
				}
			}
		}
		p.Progress.Iteration++
	}
	p.prepared = false
	return edges, err
}

// key is that of a vertex's value.
func (s *short) key(p *Program, v uint32) int64 { return p.Acc.Order.At(&p.Code.State[0], int(v)) }

// gather fills the queue with the best of the active vertices, and tells whether some of them can send.
func (s *short) gather(p *Program) (some bool) {
	if s.queue == nil {
		s.queue = make([]waiting, 0, s.most)
	}
	s.bound = s.quantile(p)
	s.queue = s.queue[:0]
	for member := range bitmap.Common(p.Active, s.among) {
		v := uint32(member)
		if key := s.key(p, v); key <= s.bound {
			some = s.put(waiting{key: key, vertex: v}) && s.degree(v) <= s.most || some
		}
	}
	return some
}

// quantile is the bound by which about half of the queue is filled: all are within it if they fill no more.
func (s *short) quantile(p *Program) int64 {
	count := 0
	for range bitmap.Common(p.Active, s.among) {
		count++
	}
	if count <= s.most/2 {
		return math.MaxInt64
	}
	every, i := count/nearSamples+1, 0
	keys := make([]int64, 0, nearSamples)
	for v := range bitmap.Common(p.Active, s.among) {
		if i++; i%every == 0 {
			keys = append(keys, s.key(p, uint32(v)))
		}
	}
	slices.Sort(keys)
	return keys[min(len(keys)-1, s.most/2/every)]
}

// put adds to the queue, a binary heap, if there is room.
func (s *short) put(w waiting) bool {
	if len(s.queue) == cap(s.queue) {
		return false
	}
	s.queue = append(s.queue, w)
	for i := len(s.queue) - 1; i > 0 && s.queue[i].key < s.queue[(i-1)/2].key; i = (i - 1) / 2 {
		s.queue[i], s.queue[(i-1)/2] = s.queue[(i-1)/2], s.queue[i]
	}
	return true
}

// take takes the best out of the queue.
func (s *short) take() waiting {
	best, last := s.queue[0], len(s.queue)-1
	s.queue[0] = s.queue[last]
	s.queue = s.queue[:last]
	for i, next := 0, 1; next < last; i, next = next, 2*next+1 {
		if next+1 < last && s.queue[next+1].key < s.queue[next].key {
			next++
		}
		if s.queue[i].key <= s.queue[next].key {
			break
		}
		s.queue[i], s.queue[next] = s.queue[next], s.queue[i]
	}
	return best
}
