package triangles

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// shortList is how long the lists of a graph may be for edgeIterator.
const shortList = 32

// edgeIterator counts corners where ranks, links and a matrix are more work than they
// save: it intersects the neighborhoods of the ends of every edge. (Schank and Wagner,
// "Finding, counting and listing all triangles in large graphs", 2005: edge-iterator.)
type edgeIterator struct {
	*Counter
	lists csr.Index
}

func (c *Counter) iterateEdges(ctx context.Context, chunks []*csr.Chunk, p procedures.Progress) error {
	e := edgeIterator{Counter: c, lists: csr.NewIndex(chunks)}
	err := c.Pool.Blocks(ctx, c.N, func(_, _, from, to int) { clear(c.Counts[from:to]) })
	if err != nil {
		return err
	}
	return c.Groups(ctx, nil, p, func(_, from, to int, _ []*csr.Chunk) {
		near := csr.Cursor{Index: e.lists}
		var own, other [shortList]uint32
		for v := from; v < to; v++ {
			ahead := after(own[:0], near.Of(v), v)
			for len(ahead) > 1 {
				u := int(ahead[0])
				if ahead = ahead[1:]; ahead[0] != uint32(u) {
					e.close(v, u, ahead, after(other[:0], near.Of(u), u))
				}
			}
		}
	})
}

// after is the neighbors of v that come after it, ascending, some perhaps repeatedly. It
// is put together in room, unless it lies somewhere.
func after(room []uint32, chunks []*csr.Chunk, v int) []uint32 {
	if len(chunks) == 1 && chunks[0].Cols.Base == 0 {
		return beyond(chunks[0].List(v), uint32(v))
	}
	for _, r := range chunks {
		for _, local := range r.List(v) {
			room = append(room, uint32(r.Cols.Base)+local)
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
				atomic.AddInt64(&e.Counts[corner], 2)
			}
			ofV, ofU = beyond(ofV, a), beyond(ofU, a)
		}
	}
}

// degrees is how many neighbors each vertex has, itself not counted.
func (c *Counter) degrees(ctx context.Context, chunks []*csr.Chunk) ([]uint32, error) {
	lists, degrees := csr.NewIndex(chunks), make([]uint32, c.N)
	return degrees, c.Pool.Blocks(ctx, c.N, func(_, _, from, to int) {
		near := csr.Cursor{Index: lists}
		for v := from; v < to; v++ {
			for _, r := range near.Of(v) {
				for range r.Distinct(v) {
					degrees[v]++
				}
			}
		}
	})
}
