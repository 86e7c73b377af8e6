package cpu

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// counter counts at every vertex the directed edges opposite it in its triangles. Where
// direction does not matter all pairs are joined both ways, and these are twice the
// triangles.
//
//	rank ──▶ oriented lists ──▶ matrix of the hubs        (ranks.go, oriented.go, adjacency.go)
//	             │                    │
//	         closeListed          closeHubs               triangles by their middle rank (tally.go)
//
// A triangle whose two upper corners are hubs is a bit that two rows of the matrix share;
// the others are found in the lists. Only the upper thousands of ranks have long lists, and
// their rows are dense, so that one word stands for many entries. Where no list is long
// none of this pays (edgeiterator.go).
type counter struct {
	frame
	counts    []int64 // lies in the result column
	symmetric bool    // direction does not matter
	hubs      int     // ranks below are hubs
}

// newCounter counts into counts, which lies in the result column.
func newCounter(f frame, symmetric bool, result algorithms.Column, counts []int64) (*counter, error) {
	if f.n > maxLinked {
		return &counter{}, plugins.Errorf(plugins.KindUnsupported, "triangles of %d vertices: up to %d", f.n, maxLinked)
	}
	degree := func(name string) algorithms.Column { return algorithms.Column{Name: name, Type: algorithms.Int} }
	c := &counter{frame: f, counts: counts, symmetric: symmetric, hubs: hubCount(f.graph)}
	return c, f.require(degree("out_degree"), degree("in_degree"), result)
}

// scratch is what count allocates: beside the lists and the matrix, each worker has a tally.
func (c *counter) scratch() uint64 {
	row := matrices(c.symmetric) * uint64(c.hubs) / 8
	return orientedBytes(c.graph) + row*uint64(c.hubs) + uint64(c.pool.threads)*(tallyBytes*uint64(c.n)+row)
}

// short tells whether no list is longer than shortList, as on roads, and direction does
// not matter.
func (c *counter) short() bool {
	long := func(degree int64) bool { return degree > shortList }
	return !c.graph.Directed && !slices.ContainsFunc(c.columns["out_degree"].Ints, long)
}

// count sets counts.
func (c *counter) count(ctx context.Context, chunks []*resident, tell func(float64)) error {
	if c.short() {
		return c.iterateEdges(ctx, chunks, progress{0, 1, tell})
	}
	tallies := c.tallies()
	o, err := c.orient(ctx, chunks, tallies, progress{0, 0.2, tell})
	if err != nil {
		return err
	}
	return c.close(ctx, o, tallies, progress{0.2, 1, tell})
}

// countWithDegrees sets counts, and returns how many neighbors a vertex has, itself not
// counted. They take 4 bytes a vertex.
func (c *counter) countWithDegrees(ctx context.Context, chunks []*resident, tell func(float64)) (degree func(v int) uint32, err error) {
	if c.short() {
		if err := c.iterateEdges(ctx, chunks, progress{0, 0.9, tell}); err != nil {
			return nil, err
		}
		degrees, err := c.degrees(ctx, chunks)
		return func(v int) uint32 { return degrees[v] }, err
	}
	tallies := c.tallies()
	o, err := c.orient(ctx, chunks, tallies, progress{0, 0.2, tell})
	if err != nil {
		return nil, err
	}
	degrees, err := c.rankDegrees(ctx, o, tallies)
	if err != nil {
		return nil, err
	}
	return func(v int) uint32 { return degrees[o.ranks[v]] }, c.close(ctx, o, tallies, progress{0.2, 1, tell})
}

// rankDegrees is the number of each rank's neighbors, in its own list or not. The tallies
// have it first, and are zeros again after.
func (c *counter) rankDegrees(ctx context.Context, o *oriented, tallies []tally) ([]uint32, error) {
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

// close finds the triangles of each rank and adds up what the workers have counted. Integer sums are the same in any order.
func (c *counter) close(ctx context.Context, o *oriented, tallies []tally, p progress) error {
	matrix := c.adjacent(ctx, o)
	err := c.groups(ctx, nil, p, func(worker, from, to int, _ []*resident) {
		for rank := from; rank < to && ctx.Err() == nil; rank++ {
			hubs, others := c.parted(o.list(rank))
			tallies[worker].closeHubs(matrix, rank, hubs)
			tallies[worker].closeListed(ctx, o, rank, hubs, others)
		}
	})
	if err != nil {
		return err
	}
	return c.pool.blocks(ctx, c.n, func(_, _, from, to int) {
		for v := from; v < to; v++ {
			c.counts[v] = 0
			for _, t := range tallies {
				c.counts[v] += t.counts[o.ranks[v]]
			}
		}
	})
}
