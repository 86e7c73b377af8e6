package knn

import (
	"context"
	"math"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// descent is NN-descent with sampling: a neighbor of a neighbor is likely to be a neighbor (Dong, Moses, Li 2011,
// algorithm 2).
//
//	lists drawn ──▶ of each vertex some new neighbors, and the old ones, both ways ──join──▶ better lists ─┐
//	                ▲                                                                                      │
//	                └────────── unless few entries are new ◀──────────────────────────────────────────────┘
//
// What is compared in an iteration is drawn before it begins, and of what is offered to a list the same are left in any
// order: results do not depend on the number of threads.
type descent struct {
	procedures.Input
	most       int // entries of a list
	sample     int // of new neighbors that are compared in an iteration, each way
	least      float64
	iterations int
	joins      int
	seed       uint64
}

func (d descent) bytes() uint64 {
	group := 2*d.sample + d.most + d.sample + d.joins
	return candidatesBytes(d.N, d.sample)*3 + candidatesBytes(d.N, d.most) + uint64(d.Pool.Threads)*uint64(group)*3*4
}

func (d descent) run(ctx context.Context, s *space, l *lists, part procedures.Progress) error {
	c := newChosen(d.N, d.sample, d.most)
	workers := make([]*joiner, d.Pool.Threads)
	for i := range workers {
		workers[i] = newJoiner(s, l, 2*d.sample+d.most+d.sample+d.joins)
	}
	silent := procedures.Progress{Tell: func(float64) {}}
	each := func(do func(w *joiner, v int)) error {
		return d.Groups(ctx, nil, silent, func(worker, from, to int, _ []*csr.Chunk) {
			for v := from; v < to; v++ {
				do(workers[worker], v)
			}
		})
	}
	if err := each(func(w *joiner, v int) { w.compare(v, d.others(w.all[:0], v, 0, d.most)) }); err != nil {
		return err
	}
	if _, err := d.arrived(each, l); err != nil {
		return err
	}
	for i := 1; i <= d.iterations; i++ {
		if err := each(func(_ *joiner, v int) { c.choose(l, v, d.draw(v, i, choosing)) }); err != nil {
			return err
		}
		if err := c.reverse(ctx, d.Pool, func(v int) draws { return d.draw(v, i, reversing) }); err != nil {
			return err
		}
		if err := each(func(w *joiner, v int) {
			w.join(v, c)
			w.compare(v, d.others(w.all[:0], v, i, d.joins))
		}); err != nil {
			return err
		}
		share, err := d.arrived(each, l)
		if err != nil || share <= d.least {
			return err
		}
		part.Tell(part.At(min(1, math.Log(share)/math.Log(max(d.least, 1e-9)))))
	}
	return nil
}

// arrived tells which part of all entries came in this iteration.
func (d descent) arrived(each func(func(*joiner, int)) error, l *lists) (share float64, err error) {
	var came atomic.Int64
	err = each(func(_ *joiner, v int) { came.Add(int64(l.arrived(v))) })
	return float64(came.Load()) / (float64(d.N) * float64(d.most)), err
}

// others are so many vertices other than v, each drawn from all, and maybe more than once.
func (d descent) others(to []uint32, v, iteration, count int) []uint32 {
	draw := d.draw(v, iteration, joining)
	for range count {
		u := draw.below(d.N - 1)
		if u >= v {
			u++
		}
		to = append(to, uint32(u))
	}
	return to
}

// What is drawn.
const (
	joining = iota
	choosing
	reversing
)

// draw is a source of random numbers that a vertex has for one purpose.
func (d descent) draw(v, iteration, purpose int) draws {
	return draws(mixed(mixed(mixed(d.seed)+uint64(v)) + uint64(4*iteration+purpose)))
}

// draws are random numbers (SplitMix64: Steele, Lea, Flood 2014).
type draws uint64

// below draws a number from 0 to n-1.
func (d *draws) below(n int) int {
	*d += 0x9e3779b97f4a7c15
	high, _ := bits.Mul64(mixed(uint64(*d)), uint64(n))
	return int(high)
}

func mixed(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// arrived counts the entries that came in this iteration, which are fresh in the next.
func (l *lists) arrived(v int) (count int) {
	for i, a := range l.ages(v) {
		if a == now {
			l.ages(v)[i] = fresh
			count++
		}
	}
	return count
}

// joiner compares vertices, for one worker.
type joiner struct {
	space *space
	lists *lists
	all   []uint32 // new neighbors, then old ones
	rest  []uint32
	near  []float32
}

func newJoiner(s *space, l *lists, room int) *joiner {
	return &joiner{s, l, make([]uint32, 0, room), make([]uint32, 0, room), make([]float32, room)}
}

// join compares the new neighbors of v with each other and with the old ones.
func (w *joiner) join(v int, c *chosen) {
	fresh := distinct(append(append(w.all[:0], c.fresh.of(v)...), c.freshBack.of(v)...))
	old := distinct(append(append(w.rest[:0], c.old.of(v)...), c.oldBack.of(v)...))
	all := append(fresh, old...)
	for i := range fresh {
		w.compare(int(all[i]), all[i+1:])
	}
}

// compare offers v and others to each other.
func (w *joiner) compare(v int, others []uint32) {
	if w.space.void[v] {
		return
	}
	near := w.near[:len(others)]
	w.space.nearness(near, uint32(v), others)
	for i, u := range others {
		if int(u) != v && !w.space.void[u] {
			w.lists.offer(uint32(v), u, near[i])
			w.lists.offer(u, uint32(v), near[i])
		}
	}
}

// distinct leaves each once, in ascending order.
func distinct(all []uint32) []uint32 {
	slices.Sort(all)
	return slices.Compact(all)
}
