// Package negativecycle corrects labels until they settle, or a cycle is found around which they get better for ever:
//
//	keys of a component ──first come, first served──▶ keys that no walk betters
//	                    └─ last senders ──▶ a cycle among them, with its edges
//
// Less is better. What an edge makes of a key is the caller's.
package negativecycle

import (
	"cmp"
	"context"
	"slices"
)

// Search corrects what vertices hold, one strongly connected component after the other. Its arrays are the caller's,
// with room for every vertex.
type Search[K cmp.Ordered] struct {
	Keys    []K
	Nothing K // the key of a vertex that holds nothing, and sends nothing
	Rank    []int32
	// Send calls to for each edge of v with the key that it brings.
	Send func(v uint32, to func(u uint32, key K))
	// Gains tells whether a cycle, in the order of its edges, is what is looked for.
	Gains  func(cycle []uint32) bool
	Ring   []uint32
	By     []int32 // of each vertex, who sent what it holds; none: it has it from outside
	Mark   []uint32
	Queued []uint64 // a set of vertices, empty
}

const none = -1

// Component corrects what the vertices of a component hold, first come, first served, until no
// walk within it is better (Bellman 1958, Moore 1959). It looks for a cycle among the last
// senders of all whenever it has corrected as many as there are, which takes as long
// (Cherkassky and Goldberg, "Negative-cycle detection algorithms", 1999). It has not ended
// where it has looked more often than the graph has vertices, or ctx is done.
//
// A component is the vertices of one Rank.
func (s *Search[K]) Component(ctx context.Context, some []uint32) (cycle []uint32, ended bool) {
	q := queue{ring: s.Ring[:len(some)], in: s.Queued}
	defer q.empty()
	for _, v := range some {
		if s.By[v] = none; s.Keys[v] != s.Nothing {
			q.push(v)
		}
	}
	for corrected, looks := 0, 0; q.count > 0; {
		v := q.pop()
		s.Send(v, func(u uint32, key K) {
			if key < s.Keys[u] && s.Rank[u] == s.Rank[v] {
				s.Keys[u], s.By[u] = key, int32(v)
				corrected++
				q.push(u)
			}
		})
		if corrected < len(some) {
			continue
		}
		if cycle := s.cycle(some); cycle != nil {
			return cycle, true
		}
		if corrected, looks = 0, looks+1; looks > len(s.Rank) || ctx.Err() != nil {
			return nil, false
		}
	}
	return nil, true
}

// cycle is a cycle among the senders of some that gains, along its edges; or nil.
func (s *Search[K]) cycle(some []uint32) []uint32 {
	for _, v := range some {
		s.Mark[v] = 0
	}
	for i, v := range some {
		walk := uint32(i + 1)
		for s.Mark[v] == 0 && s.By[v] != none {
			s.Mark[v] = walk
			v = uint32(s.By[v])
		}
		if s.Mark[v] != walk {
			continue
		}
		found := []uint32{v}
		for u := uint32(s.By[v]); u != v; u = uint32(s.By[u]) {
			found = append(found, u)
		}
		if slices.Reverse(found); s.Gains(found) {
			return found
		}
	}
	return nil
}
