package components

import (
	"context"
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
)

// Streamed, components needs every chunk once: after one pass over all edges nothing is
// left to be found. Each is linked when it is seen from its higher end, for lists are there
// for both.
//
// Where the host would send lists alone that are asked for, it need not see them all. It is
// Afforest again, by lists:
//
//	asks for  the lists of a few vertices        they join most of the largest component
//	          those of all that are not in that   an edge between two components is found from
//	                                             the end that is not in the largest
//
// A list that has been scanned is not asked for again. Where lists are so short that most would be asked for all the
// same, as on a road map, all are asked for at once.

func (c *afforest) Begin(ctx context.Context) error {
	active := bitmap.Fill(c.p.Active, c.p.N) // also those that hold nothing yet
	if c.joining != nil {
		c.joining.applied = false
		copy(c.joining.first, cellsOf(c.p.Code.State[0], c.p.Acc.Order).bits)
	}
	if c.p.Mode.FromRows {
		clear(c.scanned)
		active = c.askSample()
	}
	c.p.Progress.Set(active, 0)
	return c.reset(ctx)
}

// askSample leaves a sample of the vertices active.
func (c *afforest) askSample() uint64 {
	if solvers.SampleSaves(c.p.N, 2*c.p.Graph.Edges) { // each edge is in two lists
		for i := range c.p.Active {
			c.p.Active[i] &= solvers.SampleMask
		}
	}
	return bitmap.Count(c.p.Active)
}

func (c *afforest) Step(ctx context.Context, r *csr.Chunk) (uint64, error) {
	if c.p.Mode.FromRows || c.joining != nil { // lists of others' vertices are not there
		return c.link(ctx, r)
	}
	err := c.p.Pool.Run(ctx, r.Segments(), func(_, s int) { c.linkLower(r, s) })
	return uint64(len(r.Neighbors)), err
}

// linkLower links the vertices of a segment's rows with their lower neighbors.
func (c *afforest) linkLower(r *csr.Chunk, s int) {
	base := uint32(r.Cols.Base)
	for from, to, row := r.Segment(s); from < to; row++ {
		end := min(int(r.Offsets[row+1]), to)
		v := uint32(r.Rows.Base) + uint32(r.Local(row))
		above := atomic.LoadUint32(&c.parent[v])
		for _, u := range r.Neighbors[from:end] {
			if u += base; u < v && atomic.LoadUint32(&c.parent[u]) != above {
				c.parent.link(v, u)
			}
		}
		from = end
	}
}

// link links the vertices of a chunk that send with all of their neighbors.
func (c *afforest) link(ctx context.Context, r *csr.Chunk) (uint64, error) {
	var edges atomic.Uint64
	base := uint32(r.Cols.Base)
	err := c.p.Pool.Run(ctx, r.Segments(), func(_, s int) {
		c.p.Frontier.Rows(r, s, func(row, from, to int) {
			v := uint32(r.Rows.Base) + uint32(r.Local(row))
			for _, u := range r.Neighbors[from:to] {
				c.parent.link(v, base+u)
			}
			edges.Add(uint64(to - from))
		})
	})
	return edges.Load(), err
}

func (c *afforest) EndIteration(ctx context.Context) error {
	if c.joining != nil {
		return c.endShare(ctx)
	}
	if c.p.Mode.FromRows {
		return c.askOthers(ctx, c.p.Active)
	}
	if err := c.label(ctx); err != nil {
		return err
	}
	c.p.Progress.Conclude(0, 0)
	return nil
}

// label gives each vertex the best value of its tree. No vertex is active after.
func (c *afforest) label(ctx context.Context) error {
	if err := c.collect(ctx); err != nil {
		return err
	}
	return c.settle(ctx)
}

// askOthers goes on when the lists of some vertices have been there. It asks for the lists of the
// vertices outside the largest component that have not been scanned yet.
func (c *afforest) askOthers(ctx context.Context, some []uint64) error {
	c.scan(some)
	if err := c.label(ctx); err != nil {
		return err
	}
	active, err := c.ask(ctx)
	c.p.Progress.Conclude(active, 0)
	return err
}

// scan notes that the lists of some vertices have been there.
func (c *afforest) scan(some []uint64) {
	for i, word := range some {
		c.scanned[i] |= word
	}
}

// ask makes those vertices active, and counts them.
func (c *afforest) ask(ctx context.Context) (active uint64, err error) {
	largest := c.parent.frequent()
	err = c.p.Pool.Blocks(ctx, c.p.N, func(_, _, from, to int) {
		for v := from; v < to; v++ {
			if c.parent[v] != largest {
				c.p.Active[v/64] |= 1 << (v % 64)
			}
		}
	})
	for i, scanned := range c.scanned {
		c.p.Active[i] &^= scanned
	}
	return bitmap.Count(c.p.Active), err
}

// Settle is plugins.Settle: the lists of the active vertices of complete are all there.
func (c *afforest) Settle(ctx context.Context, chunks []*csr.Chunk, complete []uint64) (edges uint64, err error) {
	for i, word := range complete {
		c.sending[i] = c.p.Active[i] & word
	}
	c.p.Frontier.Senders = c.sending
	defer func() { c.p.Frontier.Senders = c.p.Active }()
	for _, r := range chunks {
		done, err := c.link(ctx, r)
		if edges += done; err != nil {
			return edges, err
		}
	}
	return edges, c.askOthers(ctx, c.sending)
}

// Restore has nothing to go on from but better values, for what joins them is not kept, unless it is another session
// that they come from.
func (c *afforest) Restore(ctx context.Context, it plugins.Iteration) error {
	if c.joining != nil && c.joining.applied {
		return c.join(ctx, it)
	}
	return c.Begin(ctx)
}
