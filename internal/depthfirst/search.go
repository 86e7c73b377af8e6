// Package depthfirst finds strongly connected components in one depth-first search, in linear
// time. Pearce, "A space-efficient algorithm for finding strongly connected components", 2016,
// which refines Tarjan 1972. Nothing recurses: paths may be as long as the graph.
package depthfirst

import (
	"context"
	"math"
)

// Lists are those of a graph.
type Lists interface {
	// Part is a part of v's list, local to a base, from 0 on. There may be none.
	Part(v uint32, i int) (neighbors []uint32, base uint32, ok bool)
}

// Search is a search through lists. It finds a component after all others that lists lead to from it. Its arrays are
// the caller's, with room for every vertex.
type Search[L Lists] struct {
	Lists L
	Rank  []int32  // 0: not visited; order of visiting, or lower; above that of all visits: of its component
	Path  []uint32 // from the start of the search to where it is
	At    []uint32 // of each vertex on the path: how many of its edges are done, and whether it is inner
	Done  []int32  // visited, in no component yet, not on the path
	// Component takes a component: the vertex visited first, and the others. It may keep neither.
	Component func(first uint32, others []int32) error

	next  int32 // rank of the next vertex visited
	ended int32 // rank of the next component
}

// Outside is the rank of vertices that are left out of the search.
const Outside = math.MaxInt32

// inner marks a vertex on the path that reaches one visited before.
const inner = 1 << 31

// Begin forgets components, but not which vertices are Outside.
func (s *Search[L]) Begin() {
	s.next, s.ended = 1, math.MaxInt32-1
	s.Path, s.At, s.Done = s.Path[:0], s.At[:0], s.Done[:0]
}

// From visits everything that paths reach from start, if it has not been visited.
func (s *Search[L]) From(ctx context.Context, start uint32) error {
	if s.Rank[start] != 0 {
		return nil
	}
	s.enter(start)
	for steps := 1; len(s.Path) > 0; steps++ {
		if steps%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		top := len(s.Path) - 1
		v := s.Path[top]
		if w, found := s.descend(v, &s.At[top]); found {
			s.enter(w)
			continue
		}
		isInner := s.At[top]&inner != 0
		s.Path, s.At = s.Path[:top], s.At[:top]
		if err := s.leave(v, isInner); err != nil {
			return err
		}
		if top > 0 {
			s.lower(s.Path[top-1], &s.At[top-1], s.Rank[v])
		}
	}
	return nil
}

func (s *Search[L]) enter(v uint32) {
	s.Rank[v] = s.next
	s.next++
	s.Path, s.At = append(s.Path, v), append(s.At, 0)
}

// lower notes that v reaches a vertex of this rank.
func (s *Search[L]) lower(v uint32, at *uint32, rank int32) {
	if rank < s.Rank[v] {
		s.Rank[v] = rank
		*at |= inner
	}
}

// descend goes on with v's edges until one leads to a vertex not visited.
func (s *Search[L]) descend(v uint32, at *uint32) (w uint32, found bool) {
	skip := int(*at &^ inner)
	for i := 0; ; i++ {
		list, base, ok := s.Lists.Part(v, i)
		if !ok {
			return 0, false
		}
		if skip >= len(list) {
			skip -= len(list)
			continue
		}
		for _, local := range list[skip:] {
			*at++
			if w = base + local; s.Rank[w] == 0 {
				return w, true
			}
			s.lower(v, at, s.Rank[w])
		}
		skip = 0
	}
}

// leave ends the visit of v. Unless it is inner its component is v and what was done since.
func (s *Search[L]) leave(v uint32, isInner bool) error {
	if isInner {
		s.Done = append(s.Done, int32(v))
		return nil
	}
	first := len(s.Done)
	for first > 0 && s.Rank[s.Done[first-1]] >= s.Rank[v] {
		first--
	}
	others := s.Done[first:]
	s.Rank[v] = s.ended
	for _, w := range others {
		s.Rank[w] = s.ended
	}
	s.next -= int32(len(others)) + 1
	s.ended--
	s.Done = s.Done[:first]
	return s.Component(v, others)
}
