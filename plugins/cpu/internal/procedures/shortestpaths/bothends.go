package shortestpaths

import (
	"cmp"
	"context"
	"slices"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
)

// bothEnds searches from source and target at once, the side with fewer vertices waiting first. (Nicholson, "Finding
// the shortest route between two points in a network", 1966; Pohl, "Bi-directional search", 1971.) Once no vertex that
// waits on one side can be on a way that is less with one that waits on the other, the least way has been met: on it,
// at most one vertex is settled on neither side.
type bothEnds struct {
	ahead, back *side
	middle      uint32 // where the least way that is known has been met
	met         bool
}

func newBothEnds(ids []int64, out, in csr.Index) *bothEnds {
	b := &bothEnds{ahead: newSide(ids, out, true, false), back: newSide(ids, in, false, false)}
	b.ahead.met, b.back.met = b.meet, b.meet
	return b
}

// find is the least way from source to target; none: there is none.
func (b *bothEnds) find(ctx context.Context, source, target uint32) ([]uint32, error) {
	b.met = false
	b.ahead.forget()
	b.back.begin(target, 0, 0)
	b.ahead.begin(source, 0, 0)
	for !b.done() {
		next := b.ahead
		if b.back.queue.Len() < b.ahead.queue.Len() {
			next = b.back
		}
		if next.settled%interval == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		next.settle()
	}
	if !b.met {
		return nil, ctx.Err()
	}
	return b.way(b.middle), ctx.Err()
}

// done tells whether there is nothing less to be met.
func (b *bothEnds) done() bool {
	if b.ahead.queue.Len() == 0 || b.back.queue.Len() == 0 {
		return true
	}
	v, u := b.ahead.queue.First(), b.back.queue.First()
	return b.met && cmp.Or(cmp.Compare(b.ahead.cost[v]+b.back.cost[u], b.ahead.cost[b.middle]+b.back.cost[b.middle]),
		cmp.Compare(b.ahead.hops[v]+b.back.hops[u], b.ahead.hops[b.middle]+b.back.hops[b.middle])) >= 0
}

// meet takes note of a way by v, if both sides know v.
func (b *bothEnds) meet(v uint32) {
	if b.ahead.knows(v) && b.back.knows(v) && (!b.met || b.compare(v, b.middle) < 0) {
		b.middle, b.met = v, true
	}
}

// compare orders the ways by two vertices.
func (b *bothEnds) compare(v, u uint32) int {
	order := cmp.Or(cmp.Compare(b.ahead.cost[v]+b.back.cost[v], b.ahead.cost[u]+b.back.cost[u]),
		cmp.Compare(b.ahead.hops[v]+b.back.hops[v], b.ahead.hops[u]+b.back.hops[u]))
	if order != 0 || v == u {
		return order
	}
	return slices.CompareFunc(b.way(v), b.way(u), b.ahead.byID)
}

// way is the one by v.
func (b *bothEnds) way(v uint32) []uint32 {
	way := b.ahead.way(nil, v)
	slices.Reverse(way)
	if v == b.back.root {
		return way
	}
	return b.back.way(way, b.back.before[v])
}
