package cpu

import (
	"context"
	"sync/atomic"
)

// Streamed, components needs every chunk once: after one pass over all edges nothing is
// left to be found. Each is linked when it is seen from its higher end, for lists are there
// for both.

func (c *components) begin(ctx context.Context) error {
	c.p.send(setAll(c.p.active, c.p.n), 0) // also those who hold nothing yet
	return c.reset(ctx)
}

func (c *components) step(ctx context.Context, r *resident) (uint64, error) {
	err := c.p.pool.run(ctx, r.segments(), func(_, s int) { c.linkLower(r, s) })
	return uint64(len(r.neighbors)), err
}

// linkLower links the vertices of a segment's rows with their lower neighbours.
func (c *components) linkLower(r *resident, s int) {
	base := uint32(r.cols.Base)
	for from, to, row := r.segment(s); from < to; row++ {
		end := min(int(r.offsets[row+1]), to)
		v := uint32(r.rows.Base) + uint32(r.local(row))
		above := atomic.LoadUint32(&c.parent[v])
		for _, u := range r.neighbors[from:end] {
			if u += base; u < v && atomic.LoadUint32(&c.parent[u]) != above {
				c.parent.link(v, u)
			}
		}
		from = end
	}
}

func (c *components) turn(ctx context.Context) error {
	if err := c.collect(ctx); err != nil {
		return err
	}
	if err := c.settle(ctx); err != nil {
		return err
	}
	c.p.conclude(0, 0)
	return nil
}
