package kmeans

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// silhouettes tells of each vertex how much nearer to the others of its cluster it is than to those of another
// (Rousseeuw 1987): 0 where it is alone, or all are in its cluster. Each vertex is compared with all others, in their
// order.
func (s *kmeans) silhouettes(ctx context.Context, part procedures.Progress) error {
	counts := make([]float64, s.clusters)
	for _, c := range s.community {
		counts[c]++
	}
	sums := make([][]float64, s.Pool.Threads) // of distances from the vertices of each cluster
	for worker := range sums {
		sums[worker] = make([]float64, s.clusters)
	}
	return s.Groups(ctx, nil, part, func(worker, from, to int, _ []*csr.Chunk) {
		for v := from; v < to && ctx.Err() == nil; v++ {
			s.silhouette[v] = s.silhouetteOf(v, sums[worker], counts)
		}
	})
}

func (s *kmeans) silhouetteOf(v int, sums, counts []float64) float64 {
	clear(sums)
	x := s.vector(v)
	for u, c := range s.community {
		square := 0.0
		for k, y := range s.vector(u) {
			d := float64(x[k]) - float64(y)
			square += d * d
		}
		sums[c] += math.Sqrt(square)
	}
	own, nearest := int(s.community[v]), math.Inf(1)
	for c, count := range counts {
		if c != own && count > 0 {
			nearest = min(nearest, sums[c]/count)
		}
	}
	if counts[own] == 1 || math.IsInf(nearest, 1) {
		return 0
	}
	inner := sums[own] / (counts[own] - 1)
	if inner == 0 && nearest == 0 {
		return 0
	}
	return (nearest - inner) / max(inner, nearest)
}
