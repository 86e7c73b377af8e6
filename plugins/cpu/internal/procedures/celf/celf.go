// Package celf finds the vertices from which what spreads by chance comes to most others. It takes 4 bytes an entry of
// lists and 28 a vertex, an eighth of a byte a vertex for each world, and 4 and an eighth a vertex for each thread.
package celf

import (
	"cmp"
	"container/heap"
	"context"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/centrality"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// search is a task. Worlds are drawn again whenever they are looked at, the same each time, so that none is kept.
// (Leskovec et al. 2007.)
type search struct {
	procedures.Input
	centrality.Cascade
	ids, rank []int64
	spread    []float64

	starts    []uint64 // of each list, and the end of the last
	neighbors []uint32 // ascending in a list
	reached   []bitmap // in each world, by the vertices that are found
	bounds    bounds
	walkers   []walker
}

// walker is a worker that goes along a world.
type walker struct {
	seen  bitmap
	queue []uint32
	edges uint64 // looked at
}

type bitmap []uint64

func newBitmap(n int) bitmap             { return make(bitmap, bitmapWords(n)) }
func bitmapWords(n int) int              { return (n + 63) / 64 }
func (b bitmap) has(v uint32) bool       { return b[v/64]&(1<<(v%64)) != 0 }
func (b bitmap) set(v uint32)            { b[v/64] |= 1 << (v % 64) }
func (b bitmap) clearWordOf(some uint32) { b[some/64] = 0 }

func init() {
	procedures.Register("celf", func(f procedures.Input) (procedures.Procedure, error) {
		if f.N > math.MaxInt32 {
			return nil, plugins.Errorf(plugins.KindUnsupported, "what spreads over %d vertices: up to %d", f.N, math.MaxInt32)
		}
		integers := func(name string) algorithms.Column { return algorithms.Column{Name: name, Type: algorithms.Int} }
		err := f.Columns.Require(integers("id"), integers("out_degree"), integers("rank"),
			algorithms.Column{Name: "spread", Type: algorithms.Float})
		return &search{Input: f, Cascade: centrality.NewCascade(f.Args, f.N), ids: f.Columns["id"].Ints,
			rank: f.Columns["rank"].Ints, spread: f.Columns["spread"].Floats}, err
	})
}

// Scratch: lists, bounds, what is reached, and what workers have.
func (s *search) Scratch() uint64 {
	entries := uint64(0)
	for _, degree := range s.Columns["out_degree"].Ints {
		entries += uint64(degree)
	}
	words := 8 * uint64(bitmapWords(s.N))
	return 4*entries + 8 + 28*uint64(s.N) + words*uint64(s.Worlds) + (words+4*uint64(s.N))*uint64(s.Pool.Threads)
}

func (s *search) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	if err := s.read(ctx, chunks, tell); err != nil {
		return 0, err
	}
	for range s.Pool.Threads {
		s.walkers = append(s.walkers, walker{seen: newBitmap(s.N), queue: make([]uint32, 0, s.N)})
	}
	for range s.Worlds {
		s.reached = append(s.reached, newBitmap(s.N))
	}
	if err := s.bound(ctx, procedures.Progress{From: 0.05, To: 0.8, Tell: tell}); err != nil {
		return s.edges(), err
	}
	for i := range s.Seeds {
		best, err := s.next(ctx, uint32(i))
		if err == nil {
			s.rank[best], s.spread[best] = int64(i+1), float64(s.bounds.gains[best])/float64(s.Worlds)
			err = s.reach(ctx, best)
		}
		if err != nil {
			return s.edges(), err
		}
		tell(0.8 + 0.2*float64(i+1)/float64(s.Seeds))
	}
	return s.edges(), nil
}

func (s *search) edges() (all uint64) {
	for _, w := range s.walkers {
		all += w.edges
	}
	return all
}

// read copies the lists of edges out of vertices, in order, so that parallel ones stand together.
func (s *search) read(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) error {
	s.starts = make([]uint64, s.N+1)
	for v, degree := range s.Columns["out_degree"].Ints {
		s.starts[v+1] = s.starts[v] + uint64(degree)
		s.rank[v], s.spread[v] = algorithms.Unreached, 0
	}
	s.neighbors = make([]uint32, s.starts[s.N])
	out := slices.DeleteFunc(slices.Clone(chunks), func(c *csr.Chunk) bool { return !c.Out() })
	part := procedures.Progress{From: 0, To: 0.05, Tell: tell}
	return s.Groups(ctx, out, part, func(_, from, to int, near []*csr.Chunk) {
		for v := from; v < to; v++ {
			list := s.list(uint32(v))[:0]
			for _, c := range near {
				for _, local := range c.List(v) {
					list = append(list, uint32(c.Cols.Base)+local)
				}
			}
			slices.Sort(list)
		}
	})
}

// list has room for its own entries alone.
func (s *search) list(v uint32) []uint32 {
	return s.neighbors[s.starts[v]:s.starts[v+1]:s.starts[v+1]]
}

// bound finds what each vertex comes to by itself: what it gains at first, and more than it will later.
func (s *search) bound(ctx context.Context, part procedures.Progress) error {
	s.bounds = bounds{ids: s.ids, gains: make([]int64, s.N), at: make([]uint32, s.N), queue: make([]uint32, s.N)}
	err := s.Groups(ctx, nil, part, func(worker, from, to int, _ []*csr.Chunk) {
		for v := from; v < to && ctx.Err() == nil; v++ {
			s.bounds.gains[v] = s.gain(ctx, worker, uint32(v))
			s.bounds.queue[v] = uint32(v)
		}
	})
	if err != nil {
		return err
	}
	heap.Init(&s.bounds)
	return ctx.Err()
}

// next is the vertex that gains most, when so many have been found: the first in the queue once its gain is known.
// Several whose gain is not known are looked at side by side.
func (s *search) next(ctx context.Context, found uint32) (uint32, error) {
	stale := make([]uint32, 0, s.Pool.Threads)
	for {
		for stale = stale[:0]; len(stale) < cap(stale) && s.bounds.Len() > 0; {
			v := s.bounds.queue[0]
			if s.bounds.at[v] == found {
				break
			}
			stale = append(stale, heap.Pop(&s.bounds).(uint32))
		}
		if len(stale) == 0 {
			return heap.Pop(&s.bounds).(uint32), nil
		}
		err := s.Pool.Run(ctx, len(stale), func(worker, task int) {
			s.bounds.gains[stale[task]] = s.gain(ctx, worker, stale[task])
		})
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return 0, err
		}
		for _, v := range stale {
			s.bounds.at[v] = found
			heap.Push(&s.bounds, v)
		}
	}
}

// gain is how many more vertices are reached from v, in all worlds together.
func (s *search) gain(ctx context.Context, worker int, v uint32) (sum int64) {
	for world := range s.reached {
		if ctx.Err() != nil {
			return 0
		}
		w := s.walk(worker, world, v)
		sum += int64(len(w.queue))
		w.forget()
	}
	return sum
}

// reach adds what is reached from v.
func (s *search) reach(ctx context.Context, v uint32) error {
	return s.Pool.Run(ctx, s.Worlds, func(worker, world int) {
		w := s.walk(worker, world, v)
		for _, u := range w.queue {
			s.reached[world].set(u)
		}
		w.forget()
	})
}

// walk has a worker's queue be the vertices that v comes to in a world and that have not been reached. Beyond one that
// has there is nothing else.
func (s *search) walk(worker, world int, v uint32) *walker {
	w, reached := &s.walkers[worker], s.reached[world]
	if reached.has(v) {
		return w
	}
	w.seen.set(v)
	w.queue = append(w.queue, v)
	for next := 0; next < len(w.queue); next++ {
		from := w.queue[next]
		list := s.list(from)
		w.edges += uint64(len(list))
		for i := 0; i < len(list); {
			to, passes := list[i], false
			for draws := s.Draws(world, s.ids[from], s.ids[to]); i < len(list) && list[i] == to; i++ {
				passes = s.Passes(&draws) || passes
			}
			if passes && !w.seen.has(to) && !reached.has(to) {
				w.seen.set(to)
				w.queue = append(w.queue, to)
			}
		}
	}
	return w
}

// forget makes a walker ready for the next walk.
func (w *walker) forget() {
	for _, v := range w.queue {
		w.seen.clearWordOf(v)
	}
	w.queue = w.queue[:0]
}

// bounds are vertices by what they gain at most, the largest first, of several the smallest id (heap.Interface).
type bounds struct {
	ids, gains []int64
	at         []uint32 // how many had been found when a vertex' gain was the bound
	queue      []uint32
}

func (b *bounds) Len() int { return len(b.queue) }

func (b *bounds) Less(i, j int) bool {
	v, u := b.queue[i], b.queue[j]
	return cmp.Or(cmp.Compare(b.gains[u], b.gains[v]), cmp.Compare(b.ids[v], b.ids[u])) < 0
}

func (b *bounds) Swap(i, j int) { b.queue[i], b.queue[j] = b.queue[j], b.queue[i] }

func (b *bounds) Push(v any) { b.queue = append(b.queue, v.(uint32)) }

func (b *bounds) Pop() any {
	last := len(b.queue) - 1
	v := b.queue[last]
	b.queue = b.queue[:last]
	return v
}
