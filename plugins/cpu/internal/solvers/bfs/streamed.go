package bfs

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers"
	"github.com/penstock-db/penstock/plugins/internal/activity"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// streamed is levels for chunks that come one after another: a level is an iteration.
// Where edges lead both ways and fewer vertices have not been reached than the frontier
// has, it goes bottom up, and asks for the edges of those: an iteration then needs no chunk
// all of whose rows have been reached.
//
// Where the host would cut lists to the places that are asked for, and only the last state counts, a
// level may take several iterations (see prefixes.go).
type streamed[T float64 | int64 | bool] struct {
	levels[T]
	frontier []uint64
	before   []uint64 // visited, at the beginning of the level
	up       bool
	spreads  bool           // the frontier sends something
	value    T              // what it sends
	looked   plugins.Looked // in the round
	prefixes *prefixes
	joining  *joining // nil: all edges are this session's
}

var _ solvers.Stepper = (*streamed[int64])(nil)

func newStreamed[T float64 | int64 | bool](f levels[T]) *streamed[T] {
	s := &streamed[T]{levels: f}
	if f.p.Mode.Joins {
		s.joining = &joining{}
	}
	// What a round leaves to the next is no state that a later session would find.
	if f.p.Mode.Places && f.p.Code.Asynchronous() && (f.p.Mode.Joins || !f.p.Mode.Restorable) && f.bothWays {
		s.prefixes = &prefixes{entries: 2 * f.p.Graph.Edges}
	}
	return s
}

func (f *streamed[T]) Scratch() uint64 {
	return f.levels.Scratch() + 16*uint64(bitmap.Words(f.p.N))
}

func (f *streamed[T]) Allocate() {
	f.levels.Allocate()
	f.frontier, f.before = make([]uint64, bitmap.Words(f.p.N)), make([]uint64, bitmap.Words(f.p.N))
}

func (f *streamed[T]) Begin(context.Context) error {
	for _, set := range [][]uint64{f.frontier, f.before, f.visited} {
		copy(set, f.p.Active)
	}
	f.up, f.looked, f.p.Progress.Places = false, plugins.Looked{}, chunk.Places{}
	if f.joining != nil {
		*f.joining = joining{}
	}
	f.aim()
	if f.prefixes != nil {
		f.count()
	}
	return nil
}

// aim finds out what the frontier sends.
func (f *streamed[T]) aim() {
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

func (f *streamed[T]) Step(ctx context.Context, r *csr.Chunk) (uint64, error) {
	var looked, given atomic.Uint64
	var err error
	switch {
	case !f.spreads:
	case f.up:
		first := int(r.Rows.Base) / parallel.BlockVertices
		err = f.p.Pool.Run(ctx, parallel.BlockCount(int(r.Rows.End()))-first, func(_, task int) {
			from := (first + task) * parallel.BlockVertices
			s := f.seek(r, f.frontier, max(from, int(r.Rows.Base)), min(from+parallel.BlockVertices, int(r.Rows.End())), f.value)
			looked.Add(uint64(s.looked))
			given.Add(uint64(s.given))
		})
	default:
		err = f.p.Pool.Run(ctx, r.Segments(), func(_, s int) {
			f.p.Frontier.Rows(r, s, func(_, from, to int) {
				f.reach(uint32(r.Cols.Base), r.Neighbors[from:to])
				looked.Add(uint64(to - from))
			})
		})
	}
	f.looked = f.looked.Plus(plugins.Looked{Entries: looked.Load(), Given: given.Load()})
	return looked.Load(), err
}

// reach gives the value to those of neighbors that were not reached before.
func (f *streamed[T]) reach(base uint32, neighbors []uint32) {
	for _, u := range neighbors {
		if u += base; visit(f.visited, u) {
			f.values[u] = f.value
		}
	}
}

func (f *streamed[T]) EndIteration(context.Context) error {
	f.p.Progress.Conclude(0, 0)
	looked := f.looked
	f.looked = plugins.Looked{}
	if f.joining != nil { // what follows is found out when all have told
		f.joining.applied, f.p.Progress.Looked = true, looked
		clear(f.p.Active)
		return nil
	}
	f.conclude(looked)
	return nil
}

// conclude ends an iteration in which so much has been looked at, and asks for what the next needs.
func (f *streamed[T]) conclude(looked plugins.Looked) {
	if f.prefixes != nil {
		f.turnByPrefixes(looked)
	} else {
		f.nextLevel()
		f.turn()
	}
	f.p.Progress.Set(f.ask(), 0)
}

func (f *streamed[T]) waiting() uint64 { return uint64(f.p.N) - bitmap.Count(f.visited) }

// ended tells whether the program's bound is reached.
func (f *streamed[T]) ended() bool {
	return f.p.Progress.Iteration >= f.p.Code.Spec.Bound(uint64(f.p.N))
}

// turn chooses the way of a level, of which the frontier is there.
func (f *streamed[T]) turn() {
	size, waiting := bitmap.Count(f.frontier), f.waiting()
	f.up = f.bothWays && 0 < waiting && waiting < size && !f.ended()
}

// nextLevel makes the vertices that the level has reached the frontier; nobody, where that would reach no vertex.
func (f *streamed[T]) nextLevel() {
	for i, visited := range f.visited {
		f.frontier[i] = visited &^ f.before[i]
	}
	if f.waiting() == 0 && f.p.Code.Asynchronous() {
		clear(f.frontier)
	}
	copy(f.before, f.visited)
	f.aim()
}

// ask makes the vertices active whose edges the next round looks at, and counts them.
func (f *streamed[T]) ask() uint64 {
	sampling := f.prefixes != nil && f.prefixes.sampling
	for i, visited := range f.visited {
		switch {
		case !f.up:
			f.p.Active[i] = f.frontier[i]
		case sampling && !sampled(i, len(f.visited)):
			f.p.Active[i] = 0
		default:
			f.p.Active[i] = ^visited & bitmap.Within(i, 0, f.p.N)
		}
	}
	return bitmap.Count(f.p.Active)
}

// Restore finds the visited vertices in the state, and from the active set whether the
// level is one that goes bottom up: unvisited vertices are active then. The frontier was
// reached last, and holds the worst value of all. A vertex that holds it for longer does no
// harm: what it can reach it has reached. Among several sessions it comes within a run, too.
func (f *streamed[T]) Restore(_ context.Context, it plugins.Iteration) error {
	if f.joining != nil && f.joining.applied {
		f.join(it)
		return nil
	}
	activity.MarkUnlike(f.visited, f.p.Code.State[0], vector.Identity(f.p.Code.Spec.Reduce, f.p.Code.AccType))
	copy(f.before, f.visited)
	if f.up = f.activeUnvisited(); f.up {
		f.reachedLast()
	} else {
		copy(f.frontier, f.p.Active)
	}
	f.aim()
	return nil
}

// activeUnvisited tells whether the active vertices are unvisited ones.
func (f *streamed[T]) activeUnvisited() bool {
	any := uint64(0)
	for i, word := range f.p.Active {
		if any |= word; word&f.visited[i] != 0 {
			return false
		}
	}
	return any != 0
}

// reachedLast makes those with the worst value the frontier.
func (f *streamed[T]) reachedLast() {
	clear(f.frontier)
	worst := int64(math.MinInt64)
	for v := range bitmap.Members(f.visited) {
		worst = max(worst, f.key(v))
	}
	for v := range bitmap.Members(f.visited) {
		if f.key(v) == worst {
			f.frontier[v/64] |= 1 << (v % 64)
		}
	}
}
