package path

import (
	"container/heap"
	"slices"

	"github.com/penstock-db/penstock/internal/query/execute/internal/expand"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
)

// trail is a path that repeats no relationship, as far as it has come.
type trail struct {
	before *trail // nil: it begins here
	rel    uint64
	node   uint64
	length int64
	least  int64 // no trail to the end that begins with this one is shorter
	number int   // the older comes first
}

// trails emits the first Count trails between two nodes, or all those of the first Count lengths, in order of length.
// It is A* (Hart, Nilsson, and Raphael, 1968): the trail of which the least can become comes first. What a trail lacks
// is at least the distance of its node from the end, which a search from there finds, breadth first. That goes as far
// as the first trail of the queue asks for, and no further: a node that it has not reached is beyond its depth.
//
//  1. Take the first trail. Where its node may have come nearer to the end, or further from it, than was known, put it
//     back by what is known now.
//  2. Where the search has not reached its node, let that go one relationship further, and put the trail back.
//  3. Emit it if it is at the end, and put all trails that are one relationship longer into the queue.
func (s *search) trails(from, to uint64) error {
	d := expand.Directions[s.Direction]
	back := newSide(to, expand.Reversed(d))
	held := int64(0)
	defer func() { s.Budget.Release(held) }()
	queue := &trailQueue{}
	heap.Push(queue, &trail{node: from})
	left, last := s.Count, int64(-1)
	for queue.Len() > 0 {
		t := heap.Pop(queue).(*trail)
		least, sure := t.becomes(back)
		switch {
		case least < 0 || s.Max >= 0 && least > s.Max:
			continue
		case least > t.least:
			t.least = least
			heap.Push(queue, t)
			continue
		case !sure:
			heap.Push(queue, t)
			if err := s.advance(back, &held); err != nil {
				return err
			}
			continue
		}
		if t.node == to && t.length >= s.Min {
			if !s.Groups || t.length != last {
				left, last = left-1, t.length
			}
			if left < 0 {
				return nil
			}
			if err := s.found(t.relationships()); err != nil || left == 0 && !s.Groups {
				return err
			}
		}
		if err := s.lengthen(t, queue, &held); err != nil {
			return err
		}
	}
	return nil
}

// becomes is the least length that a trail has at the end; -1: it never gets there. It is sure where the search from
// there has reached its node.
func (t *trail) becomes(back *side) (least int64, sure bool) {
	switch r := back.reached[t.node]; {
	case r != nil:
		return t.length + r.depth, true
	case len(back.frontier) == 0:
		return -1, true
	}
	return t.length + back.depth + 1, false
}

// lengthen puts the trails that are one relationship longer than t into the queue.
func (s *search) lengthen(t *trail, queue *trailQueue, held *int64) error {
	const perTrail = 64 // bytes, about
	var failed error
	err := s.Graph.Expand(t.node, expand.Directions[s.Direction], s.tokens, func(rel, other uint64) bool {
		if t.has(rel) {
			return true
		}
		var ok bool
		if ok, failed = s.fulfills(rel); !ok {
			return failed == nil
		}
		if failed = s.Budget.Hold(s.Title(), perTrail); failed != nil {
			return false
		}
		*held += perTrail
		queue.number++
		heap.Push(queue, &trail{before: t, rel: rel, node: other, length: t.length + 1, least: t.least,
			number: queue.number})
		return true
	})
	if failed != nil || err != nil {
		return frame.FirstOf(failed, err)
	}
	return s.Tick()
}

// has tells whether a relationship is one of the trail's.
func (t *trail) has(rel uint64) bool {
	for ; t.before != nil; t = t.before {
		if t.rel == rel {
			return true
		}
	}
	return false
}

// relationships are those of a trail, from its beginning on.
func (t *trail) relationships() []uint64 {
	var all []uint64
	for ; t.before != nil; t = t.before {
		all = append(all, t.rel)
	}
	slices.Reverse(all)
	return all
}

// trailQueue is a heap of trails, that of which the least can become first. Of equals the longest is first, as it is
// nearer to the end.
type trailQueue struct {
	trails []*trail
	number int // of the last
}

func (q *trailQueue) Len() int { return len(q.trails) }

func (q *trailQueue) Less(i, j int) bool {
	a, b := q.trails[i], q.trails[j]
	switch {
	case a.least != b.least:
		return a.least < b.least
	case a.length != b.length:
		return a.length > b.length
	}
	return a.number < b.number
}

func (q *trailQueue) Swap(i, j int) { q.trails[i], q.trails[j] = q.trails[j], q.trails[i] }

func (q *trailQueue) Push(t any) { q.trails = append(q.trails, t.(*trail)) }

func (q *trailQueue) Pop() any {
	last := len(q.trails) - 1
	t := q.trails[last]
	q.trails[last], q.trails = nil, q.trails[:last]
	return t
}
