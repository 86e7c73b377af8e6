package cpu

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// corners counts at every vertex the directed edges opposite it in its triangles. Where
// direction does not matter all pairs are joined both ways, and these are twice the
// triangles.
//
//	rank ──▶ oriented lists ──▶ matrix of the hubs        (ranks.go, oriented.go, adjacency.go)
//	             │                    │
//	         closeListed          closeHubs               triangles by their middle rank
//
// A triangle whose two upper corners are hubs is a bit that two rows of the matrix share;
// the others are found in the lists. Only the upper thousands of ranks have long lists, and
// their rows are dense, so that one word stands for many entries. Where no list is long
// none of this pays (edgeiterator.go).
type corners struct {
	frame
	counts    []int64 // lies in the result column
	symmetric bool    // direction does not matter
	hubs      int     // ranks below are hubs
}

// triangles are half the edges opposite.
type triangles struct{ *corners }

func newTriangles(f frame) (procedure, error) {
	c, err := newCorners(f, algorithms.Column{Name: "triangles", Type: algorithms.Int})
	c.symmetric, c.counts = true, f.columns["triangles"].Ints
	return triangles{c}, err
}

func newCorners(f frame, result algorithms.Column) (*corners, error) {
	if f.n > maxLinked {
		return &corners{}, plugins.Errorf(plugins.KindUnsupported, "triangles of %d vertices: up to %d", f.n, maxLinked)
	}
	degree := func(name string) algorithms.Column { return algorithms.Column{Name: name, Type: algorithms.Int} }
	c := &corners{frame: f, symmetric: !f.graph.Directed, hubs: hubCount(f.graph)}
	return c, f.require(degree("out_degree"), degree("in_degree"), result)
}

// scratch: beside the lists and the matrix, each worker has a tally.
func (c *corners) scratch() uint64 {
	row := matrices(c.symmetric) * uint64(c.hubs) / 8
	return orientedBytes(c.graph) + row*uint64(c.hubs) + uint64(c.pool.threads)*(tallyBytes*uint64(c.n)+row)
}

func (c triangles) call(ctx context.Context, chunks []*resident, tell func(float64)) (uint64, error) {
	if err := c.opposite(ctx, chunks, tell); err != nil {
		return 0, err
	}
	return entries(chunks), c.pool.blocks(ctx, c.n, func(_, _, from, to int) {
		for v := from; v < to; v++ {
			c.counts[v] /= 2
		}
	})
}

func (c triangles) opposite(ctx context.Context, chunks []*resident, tell func(float64)) error {
	if c.short() {
		return c.iterateEdges(ctx, chunks, progress{0, 1, tell})
	}
	tallies := c.tallies()
	o, err := c.orient(ctx, chunks, tallies, progress{0, 0.2, tell})
	if err != nil {
		return err
	}
	return c.count(ctx, o, tallies, progress{0.2, 1, tell})
}

// count does the work. Integer sums are the same in any order.
func (c *corners) count(ctx context.Context, o *oriented, tallies []tally, p progress) error {
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

// parted is a list's hubs and its others.
func (c *corners) parted(list []link) (hubs, others []link) {
	end := 0
	for end < len(list) && list[end].rank() < c.hubs {
		end++
	}
	return list[:end], list[end:]
}

// tally is what one worker has counted, and the list it is at work on.
type tally struct {
	joined []uint8 // of each rank, which edges join it in that list: a link's low bits, or 0
	counts []int64 // of each rank
	row    adjacency
}

const tallyBytes = 1 + 8 // a vertex

func (c *corners) tallies() []tally {
	tallies := make([]tally, c.pool.threads)
	for i := range tallies {
		tallies[i] = tally{joined: make([]uint8, c.n), counts: make([]int64, c.n), row: newAdjacency(1, c.hubs, c.symmetric)}
	}
	return tallies
}

// closeHubs finds the triangles of v with two hubs above it: what the row of one of them
// shares with v's. Each is found from both.
func (t *tally) closeHubs(m adjacency, v int, hubs []link) {
	if len(hubs) < 2 {
		return
	}
	words := 0
	for _, l := range hubs {
		t.row.put(0, l.rank(), uint8(l&1), uint8(l>>1&1))
		words = max(words, l.rank()/64+1)
	}
	out, in := t.row.out[:words], t.row.in[:words]
	var atV int64
	for _, l := range hubs {
		row := l.rank() * m.words
		hubOut, hubIn := m.out[row:][:words], m.in[row:][:words]
		if m.symmetric {
			n := common(out, hubOut)
			atV += n
			t.counts[l.rank()] += 2 * n
			continue
		}
		atV += edgesFrom(hubOut, out, in)
		t.counts[l.rank()] += edgesTo(out, in, hubOut, hubIn)
	}
	t.counts[v] += atV
	clear(out)
	clear(in)
}

// closeListed finds the triangles of v whose middle corner is no hub: v's neighbours are
// marked, so that those of a neighbour are looked up and neither merged nor searched.
func (t *tally) closeListed(ctx context.Context, o *oriented, v int, hubs, others []link) {
	if len(others) == 0 || len(hubs)+len(others) < 2 {
		return
	}
	t.mark(hubs)
	t.mark(others)
	for _, l := range others {
		if ctx.Err() != nil {
			return
		}
		t.close(v, l, o.list(l.rank()))
	}
	t.unmark(hubs)
	t.unmark(others)
}

// close finds the triangles above v and its neighbour l, whose list is given.
func (t *tally) close(v int, l link, list []link) {
	var atV, atL int64
	for _, opposite := range list {
		w := opposite.rank()
		if third := t.joined[w]; third != 0 {
			atV += opposite.edges()
			atL += link(third).edges()
			t.counts[w] += l.edges()
		}
	}
	t.counts[v] += atV
	t.counts[l.rank()] += atL
}

func (t *tally) mark(list []link) {
	for _, l := range list {
		t.joined[l.rank()] = uint8(l & 3)
	}
}

func (t *tally) unmark(list []link) {
	for _, l := range list {
		t.joined[l.rank()] = 0
	}
}
