package cpu

import (
	"context"
	"sync/atomic"

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

func (c *corners) scratch() uint64 { return orientedBytes(c.graph) }

func (c *corners) call(ctx context.Context, chunks []*resident, tell func(float64)) (uint64, error) {
	_, err := c.count(ctx, chunks, tell)
	return entries(chunks), err
}

// count does the work. Every pair of lists that a link joins is intersected; integer
// sums are the same in any order.
func (c *corners) count(ctx context.Context, chunks []*resident, tell func(float64)) (*oriented, error) {
	clear(c.counts)
	o, err := c.orient(ctx, chunks, progress{0, 0.2, tell})
	if err != nil {
		return nil, err
	}
	return o, c.groups(ctx, nil, progress{0.2, 1, tell}, func(_, from, to int, _ []*resident) {
		for v := from; v < to && ctx.Err() == nil; v++ {
			for _, l := range o.list(v) {
				c.close(o, v, l)
			}
		}
	})
}

// close finds the triangles over the pair v, l.
func (c *corners) close(o *oriented, v int, l link) {
	u := l.vertex()
	var atV, atU int64
	a, b := o.list(v), o.list(u)
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch x, y := a[i].vertex(), b[j].vertex(); {
		case x < y:
			i++
		case x > y:
			j++
		default:
			atV += c.worth(b[j])
			atU += c.worth(a[i])
			atomic.AddInt64(&c.counts[x], c.worth(l))
			i, j = i+1, j+1
		}
	}
	if atV > 0 {
		atomic.AddInt64(&c.counts[v], atV)
		atomic.AddInt64(&c.counts[u], atU)
	}
}

// worth is what a triangle counts at the corner opposite l.
func (c *corners) worth(l link) int64 {
	if c.opposite {
		return l.edges()
	}
	return 1
}
