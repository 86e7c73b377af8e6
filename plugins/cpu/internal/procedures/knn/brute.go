package knn

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// rival is what a worker knows of all vertices beside one.
type rival struct {
	near, order []float32
	pairs       []pair
}

func bruteBytes(n, threads int) uint64 { return uint64(threads) * uint64(n) * (8 + pairBytes) }

// brute compares every vertex with every other. Those that may be among the nearest, but for rounding of single
// precision, are compared once more in double precision: the result is exact.
func (s *search) brute(ctx context.Context, sp *space, part procedures.Progress) error {
	rivals := make([]*rival, s.Pool.Threads)
	return s.Groups(ctx, nil, part, func(worker, from, to int, _ []*csr.Chunk) {
		if rivals[worker] == nil {
			rivals[worker] = &rival{make([]float32, s.N), make([]float32, s.N), make([]pair, 0, s.N)}
		}
		for v := from; v < to && ctx.Err() == nil; v++ {
			s.compareAll(rivals[worker], sp, v)
		}
	})
}

func (s *search) compareAll(r *rival, sp *space, v int) {
	if sp.void[v] {
		s.write(v, nil)
		return
	}
	sp.nearnessOf(r.near, uint32(v))
	r.near[v] = float32(math.Inf(-1))
	least := r.near[v]
	if s.most < s.N-1 {
		copy(r.order, r.near)
		least = sp.reach(greatest(r.order, s.most))
	}
	r.pairs = r.pairs[:0]
	for u, near := range r.near {
		if near >= least && u != v {
			r.pairs = s.with(r.pairs, v, u)
		}
	}
	s.write(v, r.pairs)
}

// greatest is the k-th greatest of some numbers, from 1 on, which it brings into another order (Hoare 1961).
func greatest(all []float32, k int) float32 {
	for low, high := 0, len(all)-1; ; {
		pivot, i, j := all[(low+high)/2], low, high
		for i <= j {
			for all[i] > pivot {
				i++
			}
			for all[j] < pivot {
				j--
			}
			if i <= j {
				all[i], all[j] = all[j], all[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case k-1 <= j:
			high = j
		case k-1 >= i:
			low = i
		default:
			return all[k-1]
		}
		if low == high {
			return all[k-1]
		}
	}
}
