package cpu

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// corners visits every triangle once and counts at each of its corners: triangles
// themselves, or the directed edges opposite the corner.
type corners struct {
	frame
	counts   []int64 // lies in the result column
	opposite bool    // count the edges opposite
}

func newTriangles(f frame) (procedure, error) {
	c, err := newCorners(f, algorithms.Column{Name: "triangles", Type: algorithms.Int})
	c.counts = f.columns["triangles"].Ints
	return c, err
}

func newCorners(f frame, result algorithms.Column) (*corners, error) {
	if f.n > maxLinked {
		return &corners{}, plugins.Errorf(plugins.KindUnsupported, "triangles of %d vertices: up to %d", f.n, maxLinked)
	}
	degree := func(name string) algorithms.Column { return algorithms.Column{Name: name, Type: algorithms.Int} }
	return &corners{frame: f}, f.require(degree("out_degree"), degree("in_degree"), result)
}

// scratch: beside the lists, each worker has tallies.
func (c *corners) scratch() uint64 {
	return orientedBytes(c.graph) + uint64(c.pool.threads)*tallyBytes*uint64(c.n)
}

func (c *corners) call(ctx context.Context, chunks []*resident, tell func(float64)) (uint64, error) {
	_, err := c.count(ctx, chunks, tell)
	return entries(chunks), err
}

// count does the work. Integer sums are the same in any order.
func (c *corners) count(ctx context.Context, chunks []*resident, tell func(float64)) (*oriented, error) {
	o, err := c.orient(ctx, chunks, progress{0, 0.2, tell})
	if err != nil {
		return nil, err
	}
	tallies := make([]tally, c.pool.threads)
	for i := range tallies {
		tallies[i] = tally{joined: make([]uint8, c.n), counts: make([]int64, c.n)}
	}
	err = c.groups(ctx, nil, progress{0.2, 1, tell}, func(worker, from, to int, _ []*resident) {
		for v := from; v < to && ctx.Err() == nil; v++ {
			c.close(&tallies[worker], o, v)
		}
	})
	clear(c.counts)
	for _, t := range tallies {
		for v, n := range t.counts {
			c.counts[v] += n
		}
	}
	return o, err
}

// tally is what one worker has counted, and the list it is at work on.
type tally struct {
	joined []uint8 // of each vertex, which edges join it in that list: a link's low bits, or 0
	counts []int64
}

const tallyBytes = 1 + 8 // a vertex

// close finds the triangles that v is the lowest corner of: its neighbours are marked, so
// that those of a neighbour are looked up and neither merged nor searched.
func (c *corners) close(t *tally, o *oriented, v int) {
	list := o.list(v)
	for _, l := range list {
		t.joined[l.vertex()] = uint8(l & 3)
	}
	for _, l := range list {
		var atV, atU int64
		for _, opposite := range o.list(l.vertex()) {
			w := opposite.vertex()
			if third := t.joined[w]; third != 0 {
				atV += c.worth(opposite)
				atU += c.worth(link(third))
				t.counts[w] += c.worth(l)
			}
		}
		t.counts[v] += atV
		t.counts[l.vertex()] += atU
	}
	for _, l := range list {
		t.joined[l.vertex()] = 0
	}
}

// worth is what a triangle counts at the corner opposite l.
func (c *corners) worth(l link) int64 {
	if c.opposite {
		return l.edges()
	}
	return 1
}
