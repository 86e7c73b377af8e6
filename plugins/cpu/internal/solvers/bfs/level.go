package bfs

import (
	"context"
	"math/bits"
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
)

// goesUp chooses the direction of a level, that in which fewer edges are likely to be
// looked at, and has the frontier where it expects it. Top down these are the frontier's.
// Bottom up, an unvisited vertex looks at all its edges, or finds one of the frontier soon:
// if edges lead anywhere, among as many as all edges that are left are to the frontier's.
func (f *levels[T]) goesUp() bool {
	waiting := float64(uint64(f.p.N) - f.reached)
	up := f.bothWays && float64(f.edges) > min(float64(f.unexplored), waiting*f.looksEach())
	if up {
		f.publish()
	} else if !f.queued {
		f.enqueue()
	}
	return up
}

// looksEach is how many edges an unvisited vertex is likely to look at until one leads to the frontier.
func (f *levels[T]) looksEach() float64 {
	return float64(f.edges+f.unexplored) / float64(f.edges)
}

// tasks is how many a level top down makes.
func (f *levels[T]) tasks() int {
	return min(f.tail-f.head, int(f.edges/solvers.TaskEdges)+1)
}

// topDown visits the neighbors of the queued frontier.
func (f *levels[T]) topDown(ctx context.Context, value T) (uint64, error) {
	frontier, tasks := f.queue[f.head:f.tail], f.tasks()
	if len(frontier) == 1 && f.edges <= aloneEdges {
		return f.alone(frontier[0], value), ctx.Err()
	}
	var tail atomic.Int64
	var edges atomic.Uint64
	tail.Store(int64(f.tail))
	err := f.p.Pool.Run(ctx, tasks, func(_, task int) {
		c := topDownTask[T]{levels: f, value: value, tail: &tail, only: tasks == 1}
		c.reach(frontier[task*len(frontier)/tasks : (task+1)*len(frontier)/tasks])
		edges.Add(c.edges)
	})
	looked := f.edges
	f.head, f.tail = f.tail, int(tail.Load())
	f.setFrontier(uint64(f.tail-f.head), edges.Load())
	return looked, err
}

// aloneEdges is how many edges of one vertex are looked at without a task's buffers.
const aloneEdges = 64

// alone visits the neighbors of the only vertex of the frontier.
func (f *levels[T]) alone(v uint32, value T) (looked uint64) {
	end := f.tail
	for _, r := range f.cover[v/parallel.BlockVertices] {
		for _, local := range r.List(int(v)) {
			u := uint32(r.Cols.Base) + local
			if word, bit := &f.visited[u/64], uint64(1)<<(u%64); *word&bit == 0 {
				*word |= bit
				f.queue[end], f.values[u] = u, value
				end++
			}
		}
	}
	looked = f.edges
	f.head, f.tail = f.tail, end
	f.setFrontier(uint64(end-f.head), f.degrees(f.queue[f.head:end]))
	return looked
}

// setFrontier makes size vertices with so many edges the frontier.
func (f *levels[T]) setFrontier(size, edges uint64) {
	f.size, f.edges = size, edges
	f.reached += size
	f.unexplored -= min(f.unexplored, edges)
}

// bottomUp lets all unvisited vertices look for one of the frontier, which is in p.Active.
func (f *levels[T]) bottomUp(ctx context.Context, value T) (uint64, error) {
	var looked, found, edges atomic.Int64
	err := f.p.Pool.Blocks(ctx, f.p.N, func(_, block, from, to int) {
		words := f.next[from/64 : bitmap.Words(to)]
		clear(words)
		for _, r := range f.cover[block] {
			s := f.seek(r, f.p.Active, max(from, int(r.Rows.Base)), min(to, int(r.Rows.End())), value)
			looked.Add(int64(s.looked))
			edges.Add(int64(s.edges))
		}
		found.Add(int64(bitmap.Count(words)))
	})
	copy(f.p.Active, f.next)
	f.setFrontier(uint64(found.Load()), uint64(edges.Load()))
	return uint64(looked.Load()), err
}

// sought is what came of a look for the frontier.
type sought struct {
	looked int // at edges
	given  int // edges, of the vertices that looked
	edges  int // of these, those of the vertices that were reached
}

// seek gives value to those of [from, to) that have not been reached and have one of the
// frontier among their edges in r.
func (f *levels[T]) seek(r *csr.Chunk, frontier []uint64, from, to int, value T) (s sought) {
	base, cols := int(r.Rows.Base), uint32(r.Cols.Base)
	row := r.RowFrom(from - base)
	for word := from / 64; word < bitmap.Words(to); word++ {
		var reached uint64
		for waiting := ^f.visited[word] & bitmap.Within(word, from, to); waiting != 0; waiting &= waiting - 1 {
			bit := bits.TrailingZeros64(waiting)
			v := word*64 + bit
			var found bool
			if row, found = r.Advance(row, v-base); !found {
				continue
			}
			list := r.Neighbors[r.Offsets[row]:r.Offsets[row+1]]
			n := firstOf(frontier, cols, list)
			s.given += len(list)
			if n < len(list) {
				f.values[v] = value
				reached |= 1 << bit
				s.edges += len(list)
				n++
			}
			s.looked += n
		}
		f.visited[word] |= reached
		f.next[word] |= reached
	}
	return s
}

// firstOf is the place of the first member of a set in list, or its length.
func firstOf(set []uint64, base uint32, list []uint32) int {
	for i, u := range list {
		if u += base; set[u/64]>>(u%64)&1 != 0 {
			return i
		}
	}
	return len(list)
}
