package knn

import (
	"context"

	"github.com/penstock-db/penstock/algorithms/random"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
	"github.com/penstock-db/penstock/plugins/cpu/internal/vector"
)

// forest is trees of random projections: each cuts the points in halves, and these again, across the line from one
// point that is drawn to another, until few are left. Near ones are likely to stay together. (Dasgupta and Freund,
// "Random projection trees and low dimensional manifolds", STOC 2008.)
//
//	points ──cut──▶ halves ──cut──▶ … ──▶ leaves, in each of which all are compared
type forest struct {
	pool  parallel.Pool
	trees int
	leaf  int // points of a leaf, at most
	seed  int64
}

func (f forest) bytes(n, width int) uint64 {
	return uint64(min(f.pool.Threads, f.trees))*(uint64(n)*16+4*uint64(width)+uint64(f.leaves(n))*8) +
		uint64(f.pool.Threads)*crowdBytes(width, f.leaf)
}

// leaves is how many a tree has, at most.
func (f forest) leaves(n int) int { return 2 + 2*n/f.leaf }

// grow enters into lists what points of the same leaf are to each other. So many trees grow at once as there are
// threads, each by one; their leaves are gone through one tree after the other, since no two have a point together.
func (f forest) grow(ctx context.Context, s *space, l *lists, part procedures.Progress) error {
	trees := make([]*tree, min(f.pool.Threads, f.trees))
	for i := range trees {
		trees[i] = newTree(s, f)
	}
	crowds := make([]*crowd, f.pool.Threads)
	for i := range crowds {
		crowds[i] = newCrowd(s, l, f.leaf, (*lists).enter)
	}
	for from := 0; from < f.trees; from += len(trees) {
		some := trees[:min(len(trees), f.trees-from)]
		if err := f.pool.Run(ctx, len(some), func(_, i int) {
			some[i].grow(ctx, random.New(f.seed, int64(from+i)))
		}); err != nil {
			return err
		}
		for i, t := range some {
			if err := f.pool.Run(ctx, len(t.ends), func(worker, leaf int) {
				all := t.of(leaf)
				crowds[worker].meet(all, len(all))
			}); err != nil {
				return err
			}
			part.Tell(part.At(float64(from+i+1) / float64(f.trees)))
		}
	}
	return nil
}

// tree is one.
type tree struct {
	space *space
	leaf  int
	draws random.Draws
	order []uint32 // points, those of a leaf one after the other
	ends  []int    // of leaves

	line []float32 // from one point to another
	at   []float32 // how far along it each is
	keys []uint64  // the same, with the point
}

func newTree(s *space, f forest) *tree {
	n := len(s.points)
	return &tree{space: s, leaf: f.leaf, order: make([]uint32, n), ends: make([]int, 0, f.leaves(n)),
		line: make([]float32, s.width), at: make([]float32, n), keys: make([]uint64, n)}
}

func (t *tree) of(leaf int) []uint32 {
	from := 0
	if leaf > 0 {
		from = t.ends[leaf-1]
	}
	return t.order[from:t.ends[leaf]]
}

func (t *tree) grow(ctx context.Context, draws random.Draws) {
	t.draws, t.ends = draws, t.ends[:0]
	for p := range t.order {
		t.order[p] = uint32(p)
	}
	t.cut(ctx, 0, len(t.order))
}

// cut cuts a part of the order in halves, and these on.
func (t *tree) cut(ctx context.Context, from, to int) {
	if to-from <= t.leaf || ctx.Err() != nil {
		t.ends = append(t.ends, to)
		return
	}
	some, at, keys := t.order[from:to], t.at[from:to], t.keys[from:to]
	one, other := t.draws.Below(len(some)), t.draws.Below(len(some)-1)
	if other >= one {
		other++
	}
	a, b := t.space.row(some[one]), t.space.row(some[other])
	for k := range t.line {
		t.line[k] = a[k] - b[k]
	}
	vector.Dots(at, t.line, vector.Operand[float32]{Of: t.space.rows, Index: some}, len(some))
	for i, p := range some {
		keys[i] = uint64(ascending(at[i]))<<32 | uint64(p)
	}
	half := len(some) / 2
	kth(keys, half)
	for i, key := range keys {
		some[i] = uint32(key)
	}
	t.cut(ctx, from, from+half)
	t.cut(ctx, from+half, to)
}
