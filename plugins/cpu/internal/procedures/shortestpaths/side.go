package shortestpaths

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/penstock-db/penstock/plugins/cpu/internal/binaryheap"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
)

// side is a search from one vertex: of ways that begin there or, against the edges, that end there. It knows the least
// way to each vertex that it has met; those that it has settled, once and for all. An edge always makes a way longer,
// for it is one more: so the order of costs, and of edges where these are the same, is one in which Dijkstra's proof
// holds with weights of 0 too.
type side struct {
	ids     []int64
	lists   csr.Index
	forward bool
	met     func(v uint32)         // told of each vertex to which a lesser way is known; nil: nobody is
	guide   func(v uint32) float64 // what the rest of a way from a vertex costs at least; nil: nothing is known
	shut    []uint64               // bitmap of vertices that no way may visit; nil: none
	closed  []uint32               // vertices to which no edge from the root leads

	root     uint32
	cost     []float64 // of each vertex, of the least way; +Inf: none is known
	keys     []float64 // cost, and what guide says of the rest
	hops     []uint32  // edges of the way
	before   []uint32  // the vertex next to it on the way, toward the root
	queue    binaryheap.Heap
	touched  []uint32 // vertices that are known
	searches uint64   // that have begun
	settled  uint64   // vertices, those that were settled twice counted twice
	edges    uint64   // that were looked at
}

// sideBytes is what a side takes of each vertex, and guideBytes what one with a guide takes beside that.
const sideBytes, guideBytes = 8 + 4 + 4 + 8 + 4, 8

func newSide(ids []int64, lists csr.Index, forward, guided bool) *side {
	n := len(ids)
	s := &side{ids: ids, lists: lists, forward: forward, cost: make([]float64, n), hops: make([]uint32, n),
		before: make([]uint32, n), touched: make([]uint32, 0, n)}
	for v := range s.cost {
		s.cost[v] = math.Inf(1)
	}
	s.keys = s.cost
	if guided {
		s.keys = make([]float64, n)
	}
	s.queue = binaryheap.New(n, func(v, u uint32) bool {
		return s.keys[v] < s.keys[u] || s.keys[v] == s.keys[u] && s.hops[v] < s.hops[u]
	})
	return s
}

// begin begins anew, at a vertex to which a way leads already.
func (s *side) begin(root uint32, cost float64, hops uint32) {
	s.forget()
	s.root = root
	s.searches++
	s.offer(root, root, cost, hops)
}

// forget knows no vertex any more.
func (s *side) forget() {
	for _, v := range s.touched {
		s.cost[v] = math.Inf(1)
	}
	s.touched = s.touched[:0]
	s.queue.Clear()
}

func (s *side) byID(v, u uint32) int { return cmp.Compare(s.ids[v], s.ids[u]) }

func (s *side) knows(v uint32) bool { return !math.IsInf(s.cost[v], 1) }

// offer tells of a way to v by a vertex next to it.
func (s *side) offer(v, by uint32, cost float64, hops uint32) {
	switch known := s.cost[v]; {
	case math.IsInf(known, 1):
		s.touched = append(s.touched, v)
	case cost > known || cost == known && (hops > s.hops[v] || hops == s.hops[v] && !s.earlier(by, s.before[v])):
		return
	}
	if s.guide != nil {
		rest := s.guide(v)
		if math.IsInf(rest, 1) {
			s.touched = s.touched[:len(s.touched)-1] // it has never been known
			return
		}
		s.keys[v] = cost + rest
	}
	s.cost[v], s.hops[v], s.before[v] = cost, hops, by
	s.queue.Put(v)
	if s.met != nil {
		s.met(v)
	}
}

// earlier tells which of two ways with as many edges is the less, by ids where they part.
func (s *side) earlier(a, b uint32) (less bool) {
	if !s.forward {
		return s.ids[a] < s.ids[b]
	}
	for a != b {
		less = s.ids[a] < s.ids[b]
		a, b = s.before[a], s.before[b]
	}
	return less
}

// settle goes on from the vertex that is next.
func (s *side) settle() (v uint32) {
	v = s.queue.Take()
	s.settled++
	cost, hops := s.cost[v], s.hops[v]+1
	for _, c := range s.lists.Of(int(v)) {
		from, to := c.EdgeRange(int(v))
		s.edges += uint64(to - from)
		for at := from; at < to; at++ {
			u, weight := uint32(c.Cols.Base)+c.Neighbors[at], 1.0
			if len(c.Weights) > 0 {
				weight = c.Weights[0][at]
			}
			if s.shut == nil || s.open(v, u) {
				s.offer(u, v, cost+weight, hops)
			}
		}
	}
	return v
}

// open tells whether a way may go from v to u.
func (s *side) open(v, u uint32) bool {
	return !bitmap.Has(s.shut, int(u)) && (v != s.root || !slices.Contains(s.closed, u))
}

// reach settles vertices until it has all that are wanted, which it takes out of the set; nil: all that there are.
func (s *side) reach(ctx context.Context, wanted map[uint32]bool) error {
	all := wanted == nil
	for s.queue.Len() > 0 && (all || len(wanted) > 0) {
		if s.settled%interval == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		delete(wanted, s.settle())
	}
	return ctx.Err()
}

// interval is after how many vertices a search looks whether it is wanted still.
const interval = 1024

// rounding is how far sums in different orders may differ, as a share of them.
const rounding = 1e-9

// seek goes on until the least way to the target is known, of those that cost no more than limit. It goes a little
// further, for keys are rounded; a vertex of which it learns better then is settled again.
func (s *side) seek(ctx context.Context, target uint32, limit float64) (found bool, err error) {
	for s.queue.Len() > 0 {
		if s.settled%interval == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		if s.keys[s.queue.First()] > min(limit, s.cost[target])*(1+rounding) {
			break
		}
		if s.queue.First() == target { // no way goes on from there
			s.queue.Take()
			continue
		}
		s.settle()
	}
	return s.knows(target), ctx.Err()
}

// way appends the vertices from one that is known to the root.
func (s *side) way(vertices []uint32, from uint32) []uint32 {
	for v := from; ; v = s.before[v] {
		if vertices = append(vertices, v); v == s.root {
			return vertices
		}
	}
}
