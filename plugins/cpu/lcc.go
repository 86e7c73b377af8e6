package cpu

import (
	"context"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms"
)

// lcc is the local clustering coefficient: the edges between a vertex's neighbours,
// which are those opposite it in its triangles, over the pairs of them.
type lcc struct {
	*corners
	coefficient []float64
}

func newLCC(f frame) (procedure, error) {
	c, err := newCorners(f, algorithms.Column{Name: "coefficient", Type: algorithms.Float})
	coefficient := f.columns["coefficient"]
	c.counts = asInts(coefficient.Floats)
	return &lcc{corners: c, coefficient: coefficient.Floats}, err
}

// scratch: beside those of corners, the number of neighbours of each rank.
func (c *lcc) scratch() uint64 { return c.corners.scratch() + 4*uint64(c.n) }

func (c *lcc) call(ctx context.Context, chunks []*resident, tell func(float64)) (uint64, error) {
	if c.short() {
		return entries(chunks), c.callShort(ctx, chunks, tell)
	}
	tallies := c.tallies()
	o, err := c.orient(ctx, chunks, tallies, progress{0, 0.2, tell})
	if err != nil {
		return 0, err
	}
	neighbors, err := c.neighbors(ctx, o, tallies)
	if err != nil {
		return 0, err
	}
	if err := c.count(ctx, o, tallies, progress{0.2, 1, tell}); err != nil {
		return 0, err
	}
	for v, count := range c.counts {
		c.coefficient[v] = share(count, neighbors[o.ranks[v]])
	}
	return entries(chunks), nil
}

func (c *lcc) callShort(ctx context.Context, chunks []*resident, tell func(float64)) error {
	if err := c.iterateEdges(ctx, chunks, progress{0, 0.9, tell}); err != nil {
		return err
	}
	neighbors, err := c.degrees(ctx, chunks)
	for v, count := range c.counts {
		c.coefficient[v] = share(count, neighbors[v])
	}
	return err
}

// neighbors is the number of each rank's neighbours, in its own list or not. The tallies
// have it first, and are zeros again after.
func (c *lcc) neighbors(ctx context.Context, o *oriented, tallies []tally) ([]uint32, error) {
	err := c.groups(ctx, nil, progress{0.2, 0.2, func(float64) {}}, func(worker, from, to int, _ []*resident) {
		for rank := from; rank < to; rank++ {
			for _, l := range o.list(rank) {
				tallies[worker].counts[l.rank()]++
			}
		}
	})
	if err != nil {
		return nil, err
	}
	total := make([]uint32, c.n)
	return total, c.pool.blocks(ctx, c.n, func(_, _, from, to int) {
		copy(total[from:to], o.lengths[from:to])
		for _, t := range tallies {
			for rank := from; rank < to; rank++ {
				total[rank] += uint32(t.counts[rank])
				t.counts[rank] = 0
			}
		}
	})
}

// share is the part of the k·(k-1) ordered pairs that edges are.
func share(edges int64, k uint32) float64 {
	if k < 2 {
		return 0
	}
	return float64(edges) / (float64(k) * float64(k-1))
}

// asInts is the memory of a result column, to count in before the result is known.
func asInts(values []float64) []int64 {
	return unsafe.Slice((*int64)(unsafe.Pointer(unsafe.SliceData(values))), len(values))
}
