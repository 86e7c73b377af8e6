package cpu

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/kit/bitmap"
)

// Streamed, components needs every chunk once: after one pass over all edges nothing is
// left to be found. Each is linked when it is seen from its higher end, for lists are there
// for both.
//
// Where the host would send lists alone that are asked for, it need not see them all. It is
// Afforest again, by lists:
//
//	asks for  the lists of a few vertices        they join most of the largest component
//	          those of all who are not in that   an edge between two components is found from
//	                                             the end that is not in the largest
//
// Who has been heard once is not asked again.

// sampledBy is one in how many vertices are asked first. Of a vertex of degree d the list is
// then asked for, in a graph that is all of one component, by about the chance that none of
// its neighbours was: (1-1/sampledBy)^d.
const sampledBy = 16

// aFew are they, of a word.
const aFew = math.MaxUint64 / (1<<sampledBy - 1)

// fewVertices are asked all at once.
const fewVertices = 1024

func (c *components) begin(ctx context.Context) error {
	active := bitmap.Fill(c.p.active, c.p.n) // also those who hold nothing yet
	if c.p.fromRows {
		clear(c.heard)
		active = c.askFew()
	}
	c.p.send(active, 0)
	return c.reset(ctx)
}

// askFew leaves a sample of the vertices active.
func (c *components) askFew() uint64 {
	if c.p.n > fewVertices {
		for i := range c.p.active {
			c.p.active[i] &= aFew
		}
	}
	return bitmap.Count(c.p.active)
}

func (c *components) step(ctx context.Context, r *csr.Chunk) (uint64, error) {
	if c.p.fromRows {
		return c.link(ctx, r)
	}
	err := c.p.pool.Run(ctx, r.Segments(), func(_, s int) { c.linkLower(r, s) })
	return uint64(len(r.Neighbors)), err
}

// linkLower links the vertices of a segment's rows with their lower neighbours.
func (c *components) linkLower(r *csr.Chunk, s int) {
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

// link links those of a chunk's vertices who send with all of their neighbours.
func (c *components) link(ctx context.Context, r *csr.Chunk) (uint64, error) {
	var edges atomic.Uint64
	base := uint32(r.Cols.Base)
	err := c.p.pool.Run(ctx, r.Segments(), func(_, s int) {
		c.p.activeRows(r, s, func(row, from, to int) {
			v := uint32(r.Rows.Base) + uint32(r.Local(row))
			for _, u := range r.Neighbors[from:to] {
				c.parent.link(v, base+u)
			}
			edges.Add(uint64(to - from))
		})
	})
	return edges.Load(), err
}

func (c *components) turn(ctx context.Context) error {
	if c.p.fromRows {
		return c.told(ctx, c.p.active)
	}
	if err := c.label(ctx); err != nil {
		return err
	}
	c.p.conclude(0, 0)
	return nil
}

// label gives each vertex the best value of its tree. Nobody is active after.
func (c *components) label(ctx context.Context) error {
	if err := c.collect(ctx); err != nil {
		return err
	}
	return c.settle(ctx)
}

// told goes on when the lists of some have been there: asks for those of whoever is outside the
// largest component and has not been heard yet.
func (c *components) told(ctx context.Context, some []uint64) error {
	for i, word := range some {
		c.heard[i] |= word
	}
	if err := c.label(ctx); err != nil {
		return err
	}
	largest := c.parent.frequent()
	err := c.p.pool.Blocks(ctx, c.p.n, func(_, _, from, to int) {
		for v := from; v < to; v++ {
			if c.parent[v] != largest {
				c.p.active[v/64] |= 1 << (v % 64)
			}
		}
	})
	for i, heard := range c.heard {
		c.p.active[i] &^= heard
	}
	c.p.conclude(bitmap.Count(c.p.active), 0)
	return err
}

// settleSome is Settle: the lists of those of complete who are active are all there.
func (c *components) settleSome(ctx context.Context, chunks []*csr.Chunk, complete []uint64) (edges uint64, err error) {
	for i, word := range complete {
		c.p.departing[i] = c.p.active[i] & word
	}
	c.p.senders = c.p.departing
	defer func() { c.p.senders = c.p.active }()
	for _, r := range chunks {
		done, err := c.link(ctx, r)
		if edges += done; err != nil {
			return edges, err
		}
	}
	return edges, c.told(ctx, c.p.departing)
}
