package cpu

import (
	"context"
	"slices"
	"sync/atomic"
)

// shortList is how long the lists of a graph may be for edgeIterator.
const shortList = 32

// edgeIterator counts corners where ranks, links and a matrix are more work than they
// save: it intersects the neighborhoods of the ends of every edge. (Schank and Wagner,
// "Finding, counting and listing all triangles in large graphs", 2005: edge-iterator.)
type edgeIterator struct {
	*counter
	lists stripes
}

func (c *counter) iterateEdges(ctx context.Context, chunks []*resident, p progress) error {
	e := edgeIterator{counter: c, lists: newStripes(chunks)}
	err := c.pool.blocks(ctx, c.n, func(_, _, from, to int) { clear(c.counts[from:to]) })
	if err != nil {
		return err
	}
	return c.groups(ctx, nil, p, func(_, from, to int, _ []*resident) {
		near := cursor{stripes: e.lists}
		var own, other [shortList]uint32
		for v := from; v < to; v++ {
			ahead := after(own[:0], near.of(v), v)
			for len(ahead) > 1 {
				u := int(ahead[0])
				if ahead = ahead[1:]; ahead[0] != uint32(u) {
					e.close(v, u, ahead, after(other[:0], near.of(u), u))
				}
			}
		}
	})
}

// after is the neighbors of v that come after it, ascending, some perhaps repeatedly. It
// is put together in room, unless it lies somewhere.
func after(room []uint32, chunks []*resident, v int) []uint32 {
	if len(chunks) == 1 && chunks[0].cols.Base == 0 {
		return beyond(chunks[0].list(v), uint32(v))
	}
	for _, r := range chunks {
		for _, local := range r.list(v) {
			room = append(room, uint32(r.cols.Base)+local)
		}
	}
	slices.Sort(room)
	return beyond(room, uint32(v))
}

// beyond is what of an ascending list is greater than v.
func beyond(list []uint32, v uint32) []uint32 {
	for len(list) > 0 && list[0] <= v {
		list = list[1:]
	}
	return list
}

// close counts the triangles of v and u, which have these neighbors after them.
func (e edgeIterator) close(v, u int, ofV, ofU []uint32) {
	for len(ofV) > 0 && len(ofU) > 0 {
		switch a, b := ofV[0], ofU[0]; {
		case a < b:
			ofV = ofV[1:]
		case a > b:
			ofU = ofU[1:]
		default:
			for _, corner := range [...]int{v, u, int(a)} {
				atomic.AddInt64(&e.counts[corner], 2)
			}
			ofV, ofU = beyond(ofV, a), beyond(ofU, a)
		}
	}
}

// degrees is how many neighbors each vertex has, itself not counted.
func (c *counter) degrees(ctx context.Context, chunks []*resident) ([]uint32, error) {
	lists, degrees := newStripes(chunks), make([]uint32, c.n)
	return degrees, c.pool.blocks(ctx, c.n, func(_, _, from, to int) {
		near := cursor{stripes: lists}
		for v := from; v < to; v++ {
			for _, r := range near.of(v) {
				for range r.distinct(v) {
					degrees[v]++
				}
			}
		}
	})
}
