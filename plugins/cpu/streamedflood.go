package cpu

import (
	"context"
	"sync/atomic"
)

// streamedFlood is flood for chunks that come one after another: a level is an iteration.
// Where edges lead both ways and fewer vertices have not been reached than the frontier
// has, it goes bottom up, and asks for the edges of those: an iteration then needs no chunk
// all of whose rows have been reached.
type streamedFlood[T float64 | int64 | bool] struct {
	flood[T]
	frontier []uint64
	before   []uint64 // visited, at the beginning of the level
	up       bool
	spreads  bool // the frontier sends something
	value    T    // what it sends
}

func (f *streamedFlood[T]) scratch() uint64 {
	return f.flood.scratch() + 16*uint64(wordCount(f.p.n))
}

func (f *streamedFlood[T]) allocate() {
	f.flood.allocate()
	f.frontier, f.before = make([]uint64, wordCount(f.p.n)), make([]uint64, wordCount(f.p.n))
}

func (f *streamedFlood[T]) begin(context.Context) error {
	for _, set := range [][]uint64{f.frontier, f.before, f.visited} {
		copy(set, f.p.active)
	}
	f.up = false
	f.aim()
	return nil
}

// aim finds out what the frontier sends.
func (f *streamedFlood[T]) aim() {
	one := -1
	for v := range members(f.frontier) {
		one = v
		break
	}
	key, _ := f.message(one)
	if f.spreads = key < f.worst(); f.spreads {
		f.value = f.decoded(key)
	}
}

func (f *streamedFlood[T]) step(ctx context.Context, r *resident) (uint64, error) {
	var looked atomic.Uint64
	var err error
	switch {
	case !f.spreads:
	case f.up:
		first := int(r.rows.Base) / blockVertices
		err = f.p.pool.run(ctx, blockCount(int(r.rows.End()))-first, func(_, task int) {
			from := (first + task) * blockVertices
			l, _ := f.seek(r, f.frontier, max(from, int(r.rows.Base)), min(from+blockVertices, int(r.rows.End())), f.value)
			looked.Add(uint64(l))
		})
	default:
		err = f.p.pool.run(ctx, r.segments(), func(_, s int) {
			f.p.activeRows(r, s, func(_, from, to int) {
				f.reach(uint32(r.cols.Base), r.neighbors[from:to])
				looked.Add(uint64(to - from))
			})
		})
	}
	return looked.Load(), err
}

// reach gives the value to those of neighbors that were not reached before.
func (f *streamedFlood[T]) reach(base uint32, neighbors []uint32) {
	for _, u := range neighbors {
		if u += base; visit(f.visited, u) {
			f.values[u] = f.value
		}
	}
}

func (f *streamedFlood[T]) turn(context.Context) error {
	for i, visited := range f.visited {
		f.frontier[i], f.before[i] = visited&^f.before[i], visited
	}
	f.aim()
	size, waiting := popcount(f.frontier), uint64(f.p.n)-popcount(f.visited)
	if waiting == 0 && f.p.asynchronous() {
		clear(f.frontier) // it would reach nobody
		size = 0
	}
	f.up = f.bothWays && 0 < waiting && waiting < size && !f.p.last()
	f.p.conclude(f.ask(size, waiting), 0)
	return nil
}

// ask makes those active whose edges the next level looks at, and counts them.
func (f *streamedFlood[T]) ask(size, waiting uint64) uint64 {
	if !f.up {
		copy(f.p.active, f.frontier)
		return size
	}
	for i, visited := range f.visited {
		f.p.active[i] = ^visited & within(i, 0, f.p.n)
	}
	return waiting
}
