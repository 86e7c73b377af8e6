package cpu

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/kit/bitmap"
)

// streamedFlood is flood for chunks that come one after another: a level is an iteration.
// Where edges lead both ways and fewer vertices have not been reached than the frontier
// has, it goes bottom up, and asks for the edges of those: an iteration then needs no chunk
// all of whose rows have been reached.
//
// Where the host would cut lists to the places that are asked for, and only the last state counts, a
// level may take several iterations (see lists.go).
type streamedFlood[T float64 | int64 | bool] struct {
	flood[T]
	frontier []uint64
	before   []uint64 // visited, at the beginning of the level
	up       bool
	spreads  bool // the frontier sends something
	value    T    // what it sends
	lists    *lists
}

func newStreamedFlood[T float64 | int64 | bool](f flood[T], graph plugins.Graph) *streamedFlood[T] {
	s := &streamedFlood[T]{flood: f}
	if f.p.parts && f.p.asynchronous() && !f.p.restorable && f.bothWays {
		s.lists = &lists{entries: 2 * graph.Edges}
	}
	return s
}

func (f *streamedFlood[T]) scratch() uint64 {
	return f.flood.scratch() + 16*uint64(bitmap.Words(f.p.n))
}

func (f *streamedFlood[T]) allocate() {
	f.flood.allocate()
	f.frontier, f.before = make([]uint64, bitmap.Words(f.p.n)), make([]uint64, bitmap.Words(f.p.n))
}

func (f *streamedFlood[T]) begin(context.Context) error {
	for _, set := range [][]uint64{f.frontier, f.before, f.visited} {
		copy(set, f.p.active)
	}
	f.up, f.p.places = false, chunk.Places{}
	f.aim()
	if f.lists != nil {
		f.count()
	}
	return nil
}

// aim finds out what the frontier sends.
func (f *streamedFlood[T]) aim() {
	one := -1
	for v := range bitmap.Members(f.frontier) {
		one = v
		break
	}
	key, _ := f.message(one)
	if f.spreads = key < f.worst(); f.spreads {
		f.value = f.decoded(key)
	}
}

func (f *streamedFlood[T]) step(ctx context.Context, r *csr.Chunk) (uint64, error) {
	var looked, open atomic.Uint64
	var err error
	switch {
	case !f.spreads:
	case f.up:
		first := int(r.Rows.Base) / parallel.BlockVertices
		err = f.p.pool.Run(ctx, parallel.BlockCount(int(r.Rows.End()))-first, func(_, task int) {
			from := (first + task) * parallel.BlockVertices
			s := f.seek(r, f.frontier, max(from, int(r.Rows.Base)), min(from+parallel.BlockVertices, int(r.Rows.End())), f.value)
			looked.Add(uint64(s.looked))
			open.Add(uint64(s.open))
		})
	default:
		err = f.p.pool.Run(ctx, r.Segments(), func(_, s int) {
			f.p.activeRows(r, s, func(_, from, to int) {
				f.reach(uint32(r.Cols.Base), r.Neighbors[from:to])
				looked.Add(uint64(to - from))
			})
		})
	}
	if f.lists != nil {
		f.lists.looked += looked.Load()
		f.lists.open += open.Load()
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
	if f.lists != nil {
		f.turnByLists()
	} else {
		f.nextLevel()
		size, waiting := bitmap.Count(f.frontier), f.waiting()
		f.up = f.bothWays && 0 < waiting && waiting < size && !f.p.last()
	}
	f.p.conclude(f.ask(), 0)
	return nil
}

func (f *streamedFlood[T]) waiting() uint64 { return uint64(f.p.n) - bitmap.Count(f.visited) }

// nextLevel makes those the frontier whom the level has reached.
func (f *streamedFlood[T]) nextLevel() {
	for i, visited := range f.visited {
		f.frontier[i], f.before[i] = visited&^f.before[i], visited
	}
	f.aim()
	if f.waiting() == 0 && f.p.asynchronous() {
		clear(f.frontier) // it would reach nobody
	}
}

// ask makes those active whose edges the next round looks at, and counts them.
func (f *streamedFlood[T]) ask() uint64 {
	mask := uint64(math.MaxUint64)
	if f.lists != nil && f.lists.few {
		mask = aFew
	}
	for i, visited := range f.visited {
		if f.p.active[i] = f.frontier[i]; f.up {
			f.p.active[i] = ^visited & bitmap.Within(i, 0, f.p.n) & mask
		}
	}
	return bitmap.Count(f.p.active)
}
