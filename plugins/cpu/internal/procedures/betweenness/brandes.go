package betweenness

import (
	"context"
	"errors"
	"math"
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
	"github.com/penstock-db/penstock/plugins/cpu/internal/worklist"
)

// lanes is how many sources are searched from together: a neighbor that is looked up
// serves all of them.
const lanes = 4

// lane values of a vertex lie side by side.
type laned = [lanes]float64

// brandes counts shortest paths level by level, away from the sources, and then adds up
// dependencies from the last level back:
//
//	σ(v) = Σ σ(u)              over u→v with u a level before v
//	δ(u) = σ(u) · Σ share(v)   over u→v with v a level after u;  share(v) = 1/σ(v) + Σ … = (1+δ(v))/σ(v)
//
// Both are sums over a vertex's list, in order (gather), so that no two workers write to
// one vertex and results do not depend on their number. A level's vertices are found
// from the level before, or, when that has many edges, by looking at all vertices not
// reached yet. (Beamer, Asanović, Patterson, 2012.)
//
// What gather reads it never meets half written: a pass writes into the other array,
// and settle moves it when the pass is over. So a lane is 0 unless it counts: sums need
// no test of each lane.
type brandes struct {
	*betweenness
	out, in     csr.Index
	paths       []laned  // σ; on the way back, share in the making
	shares      []laned  // on the way out, σ in the making
	seen        []uint8  // lanes that have reached a vertex
	front, next laneSets // lanes for which a vertex is on this level, and the one in the making

	reached worklist.Queue // of all levels: a vertex may be on several, for different lanes
	sets    []uint8        // of each of reached: for which lanes
	starts  []int          // of each level in reached; one more than levels
	finders []worklist.Buffer

	entering   int64 // edges
	every      uint8 // all lanes in use
	ascended   int64 // edges looked at bottom up
	frontEdges atomic.Int64
	unexplored atomic.Int64 // edges into vertices that some lane has not reached
	unreached  atomic.Int64 // edges into vertices that no lane has reached
	overflow   atomic.Bool
}

func brandesBytes(n int, p parallel.Pool) uint64 {
	each := uint64(16*lanes + 1 + 5*lanes + 8)
	return each*uint64(n) + 16 + 2*laneSetsBytes(n) + worklist.BufferBytes(p)
}

func newBrandes(c *betweenness, chunks []*csr.Chunk) *brandes {
	b := &brandes{betweenness: c, paths: make([]laned, c.N), shares: make([]laned, c.N), seen: make([]uint8, c.N),
		front: newLaneSets(c.N), next: newLaneSets(c.N), sets: make([]uint8, lanes*c.N), starts: make([]int, 0, c.N+2)}
	b.reached.Vertices = make([]uint32, lanes*c.N)
	b.finders = b.reached.Buffers(c.Pool)
	b.out, b.in = csr.Sides(c.Graph.Directed, chunks)
	for _, r := range chunks {
		if !r.Out() || !c.Graph.Directed {
			b.entering += int64(len(r.Neighbors))
		}
	}
	return b
}

// shallowLevels is after how many levels most of a graph has been reached, if lanes are
// to meet on them.
const shallowLevels = 4

// meetingPasses is how often bottom-up levels look at all edges, at most, if lanes are to
// meet: 1.1 times where they do (RMAT, uniform), 13 times on a web graph. A source's search
// alone looks at all edges once.
const meetingPasses = 1.5

// errDeep: they do not.
var errDeep = errors.New("betweenness: this graph has many levels")

// batch adds the dependencies on some sources, or fails with errDeep and has added nothing.
func (b *brandes) batch(ctx context.Context, sources []int, p procedures.Progress) error {
	b.begin(sources)
	level := 0
	for ; b.starts[level] < b.starts[level+1]; level++ {
		if b.apart(level) {
			return errDeep
		}
		if err := b.forward(ctx, level); err != nil {
			return err
		}
	}
	p.Tell(p.At(0.5))
	last := level - 1
	for level = last; level > 0; level-- {
		if err := b.backward(ctx, level, level < last); err != nil {
			return err
		}
	}
	p.Tell(p.To)
	return b.clean(ctx)
}

// apart tells whether lanes turn out to seldom meet on levels.
func (b *brandes) apart(level int) bool {
	return level == shallowLevels && b.unreached.Load() > b.entering/2 ||
		float64(b.ascended) > meetingPasses*float64(b.entering)
}

func (b *brandes) begin(sources []int) {
	b.every = uint8(1)<<len(sources) - 1
	b.starts = append(b.starts[:0], 0, len(sources))
	b.reached.Count.Store(int64(len(sources)))
	b.ascended = 0
	b.frontEdges.Store(0)
	b.unexplored.Store(b.entering)
	b.unreached.Store(b.entering)
	for lane, v := range sources {
		b.paths[v][lane] = 1
		b.seen[v], b.front.sets[v] = 1<<lane, 1<<lane
		b.reached.Vertices[lane], b.sets[lane] = uint32(v), 1<<lane
		b.frontEdges.Add(b.outDegree[v])
		b.unreached.Add(-b.inDegree[v])
	}
}

// forward finds the next level and its σ. The level before the first bottom-up one has
// few edges; afterwards most vertices are reached.
func (b *brandes) forward(ctx context.Context, level int) error {
	from, to := b.starts[level], b.starts[level+1]
	var err error
	if b.frontEdges.Load() > b.unexplored.Load()/bottomUpShare {
		err = b.ascend(ctx)
	} else if err = b.discover(ctx, from, to); err == nil {
		err = b.count(ctx, to, int(b.reached.Count.Load()))
	}
	if err != nil {
		return err
	}
	b.starts = append(b.starts, int(b.reached.Count.Load()))
	if err = b.settle(ctx, level+1); err != nil {
		return err
	}
	if b.overflow.Load() {
		return tooManyPaths()
	}
	return b.turn(ctx, from, to)
}

func tooManyPaths() error {
	return plugins.Errorf(
		plugins.KindUnsupported, "betweenness: there are more shortest paths between two vertices than 1.8e308, the largest double")
}

// bottomUpShare: a level goes bottom up when its edges are more than this part of those
// into vertices not reached.
const bottomUpShare = 8

// discover marks what edges lead to from the vertices of a level.
func (b *brandes) discover(ctx context.Context, from, to int) error {
	err := b.listed(ctx, from, to, func(worker, i int, lists *csr.Cursor) {
		v, set := b.reached.Vertices[i], b.sets[i]
		for _, r := range lists.Of(int(v)) {
			base, list := uint32(r.Cols.Base), r.List(int(v))
			for _, local := range list {
				u := base + local
				if fresh := set &^ b.seen[u]; fresh != 0 && fresh&^b.next.of(u) != 0 && b.next.add(u, fresh) == 0 {
					b.finders[worker].Add(u)
				}
			}
		}
	}, b.out)
	b.share()
	return err
}

// count sums the paths to what discover found.
func (b *brandes) count(ctx context.Context, from, to int) error {
	return b.listed(ctx, from, to, func(_, i int, lists *csr.Cursor) {
		v := b.reached.Vertices[i]
		var sum laned
		set := b.next.sets[v]
		b.gather(&sum, lists, v, set, b.paths)
		keep(&b.shares[v], &sum, set)
	}, b.in)
}

// ascend does both for every vertex that some lane has not reached.
func (b *brandes) ascend(ctx context.Context) error {
	b.ascended += b.unexplored.Load()
	tasks := (b.N + procedures.GroupVertices - 1) / procedures.GroupVertices
	err := b.Pool.Run(ctx, tasks, func(worker, task int) {
		lists := csr.Cursor{Index: b.in}
		for v := task * procedures.GroupVertices; v < min((task+1)*procedures.GroupVertices, b.N); v++ {
			want := b.every &^ b.seen[v]
			if want == 0 {
				continue
			}
			var sum laned
			if set := b.gather(&sum, &lists, uint32(v), want, b.paths); set != 0 {
				b.next.sets[v] = set
				keep(&b.shares[v], &sum, set)
				b.finders[worker].Add(uint32(v))
			}
		}
	})
	b.share()
	return err
}

func (b *brandes) share() {
	for i := range b.finders {
		b.finders[i].Flush()
	}
}

// settle makes a new level's σ count.
func (b *brandes) settle(ctx context.Context, level int) error {
	b.frontEdges.Store(0)
	return b.entries(ctx, b.starts[level], b.starts[level+1], func(from, to int) {
		var leaving, reached, explored int64
		for i := from; i < to; i++ {
			v := b.reached.Vertices[i]
			set := b.next.sets[v]
			b.sets[i] = set
			keep(&b.paths[v], &b.shares[v], set)
			keep(&b.shares[v], &laned{}, set)
			if b.seen[v] == 0 {
				reached += b.inDegree[v]
			}
			if b.seen[v] |= set; b.seen[v] == b.every {
				explored += b.inDegree[v]
			}
			leaving += b.outDegree[v]
			if b.infinite(v) {
				b.overflow.Store(true)
			}
		}
		b.frontEdges.Add(leaving)
		b.unexplored.Add(-explored)
		b.unreached.Add(-reached)
	})
}

func (b *brandes) infinite(v uint32) bool {
	for _, paths := range b.paths[v] {
		if paths > math.MaxFloat64 {
			return true
		}
	}
	return false
}

// turn makes the next level the front, once the old one's vertices are forgotten.
func (b *brandes) turn(ctx context.Context, from, to int) error {
	b.front, b.next = b.next, b.front
	return b.entries(ctx, from, to, func(from, to int) {
		for _, v := range b.reached.Vertices[from:to] {
			b.next.sets[v] = 0
		}
	})
}

// backward adds up what depends on the vertices of a level; onward: there is a level after it.
func (b *brandes) backward(ctx context.Context, level int, onward bool) error {
	from, to := b.starts[level], b.starts[level+1]
	err := b.listed(ctx, from, to, func(_, i int, lists *csr.Cursor) {
		v, set := b.reached.Vertices[i], b.sets[i]
		var sum laned
		if onward {
			b.gather(&sum, lists, v, set, b.shares)
		}
		b.next.sets[v] = set
		total := 0.0
		for lane := range lanes {
			if set>>lane&1 != 0 {
				paths := b.paths[v][lane]
				total += paths * sum[lane]
				b.paths[v][lane] = 1/paths + sum[lane]
			}
		}
		b.sum[v] += total
	}, b.out)
	if err != nil {
		return err
	}
	err = b.entries(ctx, from, to, func(from, to int) {
		for i := from; i < to; i++ {
			v := b.reached.Vertices[i]
			keep(&b.shares[v], &b.paths[v], b.sets[i])
		}
	})
	if err != nil {
		return err
	}
	return b.turn(ctx, to, b.starts[level+2])
}

// clean undoes what a batch has left behind: much of it at once, little of it one by one.
func (b *brandes) clean(ctx context.Context) error {
	if end := b.starts[len(b.starts)-1]; end < b.N/8 {
		for _, v := range b.reached.Vertices[:end] {
			b.paths[v], b.shares[v], b.seen[v], b.front.sets[v], b.next.sets[v] = laned{}, laned{}, 0, 0, 0
		}
		return ctx.Err()
	}
	return b.Pool.Blocks(ctx, b.N, func(_, _, from, to int) {
		clear(b.paths[from:to])
		clear(b.shares[from:to])
		clear(b.seen[from:to])
		clear(b.front.sets[from:to])
		clear(b.next.sets[from:to])
	})
}

// gather adds up values over the neighbors of v that are on the front for a wanted lane,
// and tells for which wanted lanes there are any.
func (b *brandes) gather(sum *laned, lists *csr.Cursor, v uint32, want uint8, values []laned) (set uint8) {
	s0, s1, s2, s3 := sum[0], sum[1], sum[2], sum[3]
	for _, r := range lists.Of(int(v)) {
		front, values := b.front.sets[r.Cols.Base:r.ColsEnd()], values[r.Cols.Base:r.ColsEnd()]
		for _, u := range r.List(int(v)) {
			if on := front[u] & want; on != 0 {
				set |= on
				x := &values[u]
				s0, s1, s2, s3 = s0+x[0], s1+x[1], s2+x[2], s3+x[3]
			}
		}
	}
	*sum = laned{s0, s1, s2, s3}
	return set
}

// keep copies the lanes of set.
func keep(to, from *laned, set uint8) {
	for lane := range lanes {
		if set>>lane&1 != 0 {
			to[lane] = from[lane]
		}
	}
}

// listed calls do for each of [from, to) in reached, a few at a time, with a cursor for
// their lists.
func (b *brandes) listed(ctx context.Context, from, to int, do func(worker, i int, lists *csr.Cursor),
	lists csr.Index) error {
	tasks := (to - from + worklist.ItemsTask - 1) / worklist.ItemsTask
	return b.Pool.Run(ctx, tasks, func(worker, task int) {
		near := csr.Cursor{Index: lists}
		for i := from + task*worklist.ItemsTask; i < min(from+(task+1)*worklist.ItemsTask, to); i++ {
			do(worker, i, &near)
		}
	})
}

// entries calls do for parts of [from, to) in reached.
func (b *brandes) entries(ctx context.Context, from, to int, do func(from, to int)) error {
	return b.Pool.Blocks(ctx, to-from, func(_, _, low, high int) { do(from+low, from+high) })
}
