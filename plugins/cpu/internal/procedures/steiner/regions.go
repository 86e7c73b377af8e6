// Package steiner joins vertices by a light tree. It takes 88 bytes a vertex.
//
//	regions   the nearest terminal of each vertex               (regions.go, queue.go)
//	joining   the lightest forest of edges between regions      (joining.go)
//	rooting   the tree, from the source                         (rooting.go)
package steiner

import (
	"context"
	"math"
)

// region is what a vertex knows of its nearest terminal.
type region struct {
	distance float64
	weight   float64 // of the edge to up
	base     uint32  // the terminal; none: no path leads to one
	hops     uint32  // edges on the way
	up       uint32  // the next vertex on the way; none at the terminal
}

const none = math.MaxUint32

// before tells whether what is known of a vertex is better than something else that may be known of it.
func (t *tree) before(r, s region) bool {
	switch {
	case r.distance != s.distance:
		return r.distance < s.distance
	case r.base != s.base:
		return s.base == none || t.ids[r.base] < t.ids[s.base]
	case r.hops != s.hops:
		return r.hops < s.hops
	case r.up != s.up:
		return t.ids[r.up] < t.ids[s.up]
	}
	return r.weight < s.weight
}

// divide finds the nearest terminal of each vertex, nearest vertices first. (Dijkstra 1959.) A way of more edges is
// never better, so that what is taken out of the queue is known.
func (t *tree) divide(ctx context.Context) error {
	for steps := 1; t.queue.Len() > 0; steps++ {
		if steps%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		v := t.queue.Take()
		from := t.regions[v]
		t.around(v, func(u uint32, weight float64) {
			next := region{from.distance + weight, weight, from.base, from.hops + 1, v}
			if t.regions[u].up == none && t.regions[u].base == u || !t.before(next, t.regions[u]) {
				return
			}
			t.regions[u] = next
			t.queue.Put(u)
		})
	}
	return ctx.Err()
}

// around calls visit with the other end of each edge of v but loops.
func (t *tree) around(v uint32, visit func(u uint32, weight float64)) {
	for _, side := range t.sides {
		for _, c := range side.Of(int(v)) {
			from, to := c.EdgeRange(int(v))
			for at := from; at < to; at++ {
				u, weight := uint32(c.Cols.Base)+c.Neighbors[at], 1.0
				if len(c.Weights) > 0 {
					weight = c.Weights[0][at]
				}
				if u != v {
					visit(u, weight)
				}
			}
		}
	}
}
