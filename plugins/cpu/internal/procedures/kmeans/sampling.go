package kmeans

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms/community"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// draw gives a search its first centers, by races of vertices (algorithms.KMeansArrival).
func (s *kmeans) draw(ctx context.Context, l *lloyd, restart int) error {
	if given := s.Args.Lists["seedCentroids"]; len(given) == len(l.centers) && len(given) > 0 {
		copy(l.centers, given)
		return ctx.Err()
	}
	seed := uint64(s.Args.Ints["seed"])
	err := s.each(ctx, func(v int) { s.distance[v] = community.KMeansArrival(seed, restart, 0, s.ids[v]) })
	if err != nil {
		return err
	}
	if s.Args.Strings["initialSampler"] == "kmeans++" {
		return s.drawFar(ctx, l, seed, restart)
	}
	order := s.first(l.order)
	for c := range s.clusters {
		l.center(c, order[c])
	}
	return ctx.Err()
}

// first are vertices in the order in which they arrive, clusters at least: of so many, about so many come in the time
// of their share.
func (s *kmeans) first(order []uint32) []uint32 {
	for time := 2 * float64(s.clusters) / float64(s.N); ; time *= 2 {
		order = order[:0]
		for v, arrival := range s.distance {
			if arrival <= time {
				order = append(order, uint32(v))
			}
		}
		if len(order) >= s.clusters {
			slices.SortFunc(order, func(v, u uint32) int { return s.earlier(int(v), int(u)) })
			return order
		}
	}
}

// earlier orders vertices by when they arrive, which distance has, and those that do together by their ids.
func (s *kmeans) earlier(v, u int) int {
	return cmp.Or(cmp.Compare(s.distance[v], s.distance[u]), cmp.Compare(s.ids[v], s.ids[u]))
}

// drawFar draws centers one after the other: vertices arrive the earlier, the farther they are from those that there
// are.
func (s *kmeans) drawFar(ctx context.Context, l *lloyd, seed uint64, restart int) error {
	drawn := make(map[int]bool, s.clusters)
	nearest := l.nearest() // squares of distances from the nearest center
	for v := range nearest {
		nearest[v] = math.Inf(1)
	}
	for c := range s.clusters {
		first := -1
		for v := range s.N {
			if math.IsInf(s.distance[v], 1) && drawn[v] {
				continue // where a center is nobody ever arrives
			}
			if first < 0 || s.earlier(v, first) < 0 {
				first = v
			}
		}
		drawn[first] = true
		l.center(c, uint32(first))
		err := s.each(ctx, func(v int) {
			nearest[v] = min(nearest[v], community.SquaredFrom(s.vector(v), l.centerOf(c)))
			s.distance[v] = community.KMeansArrival(seed, restart, c+1, s.ids[v]) / nearest[v]
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// each calls do for every vertex.
func (s *kmeans) each(ctx context.Context, do func(v int)) error {
	silent := procedures.Progress{Tell: func(float64) {}}
	return s.Groups(ctx, nil, silent, func(_, from, to int, _ []*csr.Chunk) {
		for v := from; v < to; v++ {
			do(v)
		}
	})
}

func (s *kmeans) vector(v int) []float32 { return s.vectors[v*s.width:][:s.width:s.width] }
