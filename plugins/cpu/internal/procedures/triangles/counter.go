package triangles

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// Counter counts at every vertex the directed edges opposite it in its triangles. Where
// direction does not matter all pairs are joined both ways, and these are twice the
// triangles.
//
//	rank ──▶ oriented lists ──▶ matrix of the hubs        (ranks.go, oriented.go, hubs.go)
//	             │                    │
//	         closeListed          closeHubs               triangles by their middle rank (tally.go)
//
// A triangle whose two upper corners are hubs is a bit that two rows of the matrix share;
// the others are found in the lists. Only the upper thousands of ranks have long lists, and
// their rows are dense, so that one word stands for many entries. Where no list is long
// none of this pays (edgeiterator.go).
type Counter struct {
	procedures.Input
	Counts    []int64 // lies in the result column
	symmetric bool    // direction does not matter
	hubs      int     // ranks below are hubs
	bound     bound
}

// NewCounter counts into counts, which lies in the result column.
func NewCounter(f procedures.Input, symmetric bool, result algorithms.Column, counts []int64) (*Counter, error) {
	if f.N > maxLinked {
		return &Counter{}, plugins.Errorf(plugins.KindUnsupported, "triangles of %d vertices: up to %d", f.N, maxLinked)
	}
	degree := func(name string) algorithms.Column { return algorithms.Column{Name: name, Type: algorithms.Int} }
	c := &Counter{Input: f, Counts: counts, symmetric: symmetric, hubs: hubCount(f.Graph), bound: newBound(f)}
	return c, f.Columns.Require(degree("out_degree"), degree("in_degree"), result)
}

// Scratch is what count allocates: beside the lists and the matrix, each worker has a tally.
func (c *Counter) Scratch() uint64 {
	row := matrices(c.symmetric) * uint64(c.hubs) / 8
	return orientedBytes(c.Graph) + row*uint64(c.hubs) + uint64(c.Pool.Threads)*(tallyBytes*uint64(c.N)+row)
}

// short tells whether no list is longer than shortList, as on roads, no vertex is left out,
// and direction does not matter.
func (c *Counter) short() bool {
	long := func(degree int64) bool { return degree > shortList }
	return !c.Graph.Directed && !c.bound.bounds() && !slices.ContainsFunc(c.Columns["out_degree"].Ints, long)
}

// count sets counts.
func (c *Counter) count(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) error {
	if c.short() {
		return c.iterateEdges(ctx, chunks, procedures.Progress{From: 0, To: 1, Tell: tell})
	}
	tallies := c.tallies()
	o, err := c.orient(ctx, chunks, tallies, procedures.Progress{From: 0, To: 0.2, Tell: tell})
	if err != nil {
		return err
	}
	return c.close(ctx, o, tallies, procedures.Progress{From: 0.2, To: 1, Tell: tell})
}

// CountWithDegrees sets counts, and returns how many neighbors a vertex has, itself not
// counted. They take 4 bytes a vertex.
func (c *Counter) CountWithDegrees(ctx context.Context, chunks []*csr.Chunk,
	tell func(float64)) (degree func(v int) uint32, err error) {
	if c.short() {
		if err := c.iterateEdges(ctx, chunks, procedures.Progress{From: 0, To: 0.9, Tell: tell}); err != nil {
			return nil, err
		}
		degrees, err := c.degrees(ctx, chunks)
		return func(v int) uint32 { return degrees[v] }, err
	}
	tallies := c.tallies()
	o, err := c.orient(ctx, chunks, tallies, procedures.Progress{From: 0, To: 0.2, Tell: tell})
	if err != nil {
		return nil, err
	}
	degrees, err := c.rankDegrees(ctx, o, tallies)
	if err != nil {
		return nil, err
	}
	return func(v int) uint32 { return degrees[o.ranks[v]] },
		c.close(ctx, o, tallies, procedures.Progress{From: 0.2, To: 1, Tell: tell})
}

// rankDegrees is the number of each rank's neighbors, in its own list or not. The tallies
// have it first, and are zeros again after.
func (c *Counter) rankDegrees(ctx context.Context, o *oriented, tallies []tally) ([]uint32, error) {
	err := c.Groups(ctx, nil, procedures.Progress{From: 0.2, To: 0.2, Tell: func(float64) {}},
		func(worker, from, to int, _ []*csr.Chunk) {
			for rank := from; rank < to; rank++ {
				for _, l := range o.list(rank) {
					tallies[worker].counts[l.rank()]++
				}
			}
		})
	if err != nil {
		return nil, err
	}
	total := make([]uint32, c.N)
	return total, c.Pool.Blocks(ctx, c.N, func(_, _, from, to int) {
		copy(total[from:to], o.lengths[from:to])
		for _, t := range tallies {
			for rank := from; rank < to; rank++ {
				total[rank] += uint32(t.counts[rank])
				t.counts[rank] = 0
			}
		}
	})
}

// close finds the triangles of each rank and adds up what the workers have counted. Integer sums are the same in any
// order.
func (c *Counter) close(ctx context.Context, o *oriented, tallies []tally, p procedures.Progress) error {
	matrix := c.adjacent(ctx, o)
	err := c.Groups(ctx, nil, p, func(worker, from, to int, _ []*csr.Chunk) {
		for rank := from; rank < to && ctx.Err() == nil; rank++ {
			hubs, others := c.parted(o.list(rank))
			tallies[worker].closeHubs(matrix, rank, hubs)
			tallies[worker].closeListed(ctx, o, rank, hubs, others)
		}
	})
	if err != nil {
		return err
	}
	return c.Pool.Blocks(ctx, c.N, func(_, _, from, to int) {
		for v := from; v < to; v++ {
			c.Counts[v] = 0
			for _, t := range tallies {
				c.Counts[v] += t.counts[o.ranks[v]]
			}
		}
	})
}
