package betweenness

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/binaryheap"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
)

// dijkstra searches by sums of weights, and goes back along the edges u→v of shortest paths: those whose weight added
// to the distance of u is, as it is rounded, the distance of v. Weights are above 0, so that a vertex comes out of the
// queue after all from which such an edge leads to it, when all paths to it are counted.
type dijkstra struct {
	ids      []int64
	lists    csr.Cursor
	distance []float64 // +Inf: not reached
	values   []float64 // σ; on the way back, share
	order    []uint32  // what is reached, by distance
	depends  []float64 // of each of order: δ
	queue    binaryheap.Heap
}

// dijkstraBytes is what one takes of each vertex.
const dijkstraBytes = 8 + 8 + 4 + 8 + 8

// weights has a search by weights for each worker.
func (b *betweenness) weights(chunks []*csr.Chunk) *coarse {
	c := &coarse{betweenness: b}
	out, _ := csr.Sides(b.Graph.Directed, chunks)
	for range searchers(b.Pool) {
		s := &dijkstra{ids: b.ids, lists: csr.Cursor{Index: out}, distance: make([]float64, b.N),
			values: make([]float64, b.N), order: make([]uint32, 0, b.N), depends: make([]float64, b.N)}
		for v := range s.distance {
			s.distance[v] = math.Inf(1)
		}
		s.queue = binaryheap.New(b.N, func(v, u uint32) bool { return s.distance[v] < s.distance[u] })
		c.searches = append(c.searches, s)
	}
	return c
}

func (s *dijkstra) search(ctx context.Context, source uint32) (reached []uint32, depends []float64, err error) {
	s.order = s.order[:0]
	s.distance[source], s.values[source] = 0, 1
	s.queue.Put(source)
	for s.queue.Len() > 0 {
		if len(s.order)%searchStride == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err := s.settle(s.queue.Take()); err != nil {
			return nil, nil, err
		}
	}
	return s.order, s.depends, s.backward(ctx)
}

// settle goes on from the nearest vertex that waits.
func (s *dijkstra) settle(u uint32) error {
	s.order = append(s.order, u)
	distance, paths := s.distance[u], s.values[u]
	if paths > math.MaxFloat64 {
		return tooManyPaths()
	}
	for _, c := range s.lists.Of(int(u)) {
		from, to := c.EdgeRange(int(u))
		for at := from; at < to; at++ {
			v, by := uint32(c.Cols.Base)+c.Neighbors[at], distance+c.Weights[0][at]
			switch known := s.distance[v]; {
			case by > known || v == u:
			case by == distance:
				return s.lost(u, c.Weights[0][at])
			case by == known:
				s.values[v] += paths
			default:
				s.distance[v], s.values[v] = by, paths
				s.queue.Put(v)
			}
		}
	}
	return nil
}

// lost is the error of a weight that is nothing beside a distance: an edge along which a path gets no longer.
func (s *dijkstra) lost(u uint32, weight float64) error {
	return plugins.Errorf(plugins.KindInvalid, "an edge of vertex %d weighs %v, which is lost in the sum of %v that a "+
		"path has there: betweenness needs weights that are nearer to each other", s.ids[u], weight, s.distance[u])
}

// backward finds what depends on each of order.
func (s *dijkstra) backward(ctx context.Context) error {
	s.depends[0] = 0
	for i := len(s.order) - 1; i > 0; i-- {
		if i%searchStride == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		u := s.order[i]
		paths, sum := s.values[u], s.shares(u)
		s.values[u] = 1/paths + sum
		s.depends[i] = paths * sum
	}
	return ctx.Err()
}

// shares adds up those of the vertices that shortest paths go on to from u.
func (s *dijkstra) shares(u uint32) (sum float64) {
	distance := s.distance[u]
	for _, c := range s.lists.Of(int(u)) {
		from, to := c.EdgeRange(int(u))
		for at := from; at < to; at++ {
			if v := uint32(c.Cols.Base) + c.Neighbors[at]; v != u && distance+c.Weights[0][at] == s.distance[v] {
				sum += s.values[v]
			}
		}
	}
	return sum
}

func (s *dijkstra) clean() {
	for _, v := range s.order {
		s.distance[v] = math.Inf(1)
	}
}
