package cpu

import (
	"context"
	"math/bits"
	"sync/atomic"
)

// Beamer's α and β: a level goes bottom up when the frontier has more than 1/α of the
// edges not looked at yet, and top down again when it has shrunk below 1/β of the vertices.
const (
	alpha = 15
	beta  = 18
)

// goesUp chooses the direction of a level and has the frontier where that expects it.
func (f *flood[T]) goesUp() bool {
	if !f.queued && (f.size > f.last || f.size > uint64(f.p.n)/beta) {
		return true
	}
	if !f.queued {
		f.enqueue()
	}
	f.edges = f.frontierEdges()
	if !f.bothWays || f.edges <= f.unexplored/alpha {
		return false
	}
	f.publish()
	return true
}

// frontierEdges counts the edges of the queued frontier, or enough of them to choose.
func (f *flood[T]) frontierEdges() (edges uint64) {
	for _, v := range f.queue[f.head:f.tail] {
		for _, r := range f.cover[v/blockVertices] {
			edges += uint64(len(r.list(int(v))))
		}
		if edges > f.unexplored/alpha {
			break
		}
	}
	return edges
}

// taskEdges is how many edges make a task: fewer are done before another worker wakes up.
const taskEdges = 8 << 10

// topDown lets the queued frontier look for whom it reaches.
func (f *flood[T]) topDown(ctx context.Context, value T) (uint64, error) {
	frontier := f.queue[f.head:f.tail]
	tasks := min(len(frontier), int(f.edges/taskEdges)+1)
	var looked, tail atomic.Int64
	tail.Store(int64(f.tail))
	err := f.p.pool.run(ctx, tasks, func(_, task int) {
		some := frontier[task*len(frontier)/tasks : (task+1)*len(frontier)/tasks]
		looked.Add(int64(f.spread(some, value, &tail)))
	})
	f.head, f.tail = f.tail, int(tail.Load())
	f.size = uint64(f.tail - f.head)
	f.unexplored -= min(f.unexplored, uint64(looked.Load()))
	return uint64(looked.Load()), err
}

// spread gives value to the neighbours of some that were not reached before, and appends
// them to the queue, a batch at a time. It returns how many edges there are.
func (f *flood[T]) spread(some []uint32, value T, tail *atomic.Int64) (edges int) {
	var batch [128]uint32
	count := 0
	deliver := func() {
		end := tail.Add(int64(count))
		copy(f.queue[int(end)-count:end], batch[:count])
		count = 0
	}
	for _, v := range some {
		for _, r := range f.cover[v/blockVertices] {
			base, list := uint32(r.cols.Base), r.list(int(v))
			edges += len(list)
			for _, u := range list {
				if u += base; !f.claim(u) {
					continue
				}
				f.values[u] = value
				batch[count] = u
				if count++; count == len(batch) {
					deliver()
				}
			}
		}
	}
	deliver()
	return edges
}

// claim is true for the first who visits v.
func (f *flood[T]) claim(v uint32) bool {
	word, bit := &f.visited[v/64], uint64(1)<<(v%64)
	return atomic.LoadUint64(word)&bit == 0 && atomic.OrUint64(word, bit)&bit == 0
}

// bottomUp lets all who were not reached look for one of the frontier, which is in p.active.
func (f *flood[T]) bottomUp(ctx context.Context, value T) (uint64, error) {
	var looked, found atomic.Int64
	err := f.p.pool.blocks(ctx, f.p.n, func(_, block, from, to int) {
		words := f.next[from/64 : wordCount(to)]
		clear(words)
		for _, r := range f.cover[block] {
			looked.Add(int64(f.seek(r, f.p.active, max(from, int(r.rows.Base)), min(to, int(r.rows.End())), value)))
		}
		found.Add(int64(popcount(words)))
	})
	copy(f.p.active, f.next)
	f.size = uint64(found.Load())
	return uint64(looked.Load()), err
}

// seek gives value to those of [from, to) that have not been reached and have one of the
// frontier among their edges in r. It returns how many edges it has looked at.
func (f *flood[T]) seek(r *resident, frontier []uint64, from, to int, value T) (looked int) {
	base, cols := int(r.rows.Base), int(r.cols.Base)
	row := r.rowFrom(from - base)
	for word := from / 64; word < wordCount(to); word++ {
		var reached uint64
		for waiting := ^f.visited[word] & within(word, from, to); waiting != 0; waiting &= waiting - 1 {
			bit := bits.TrailingZeros64(waiting)
			v := word*64 + bit
			var found bool
			if row, found = r.advance(row, v-base); !found {
				continue
			}
			list := r.neighbors[r.offsets[row]:r.offsets[row+1]]
			n := firstOf(frontier, cols, list)
			if n < len(list) {
				f.values[v] = value
				reached |= 1 << bit
				n++
			}
			looked += n
		}
		f.visited[word] |= reached
		f.next[word] |= reached
	}
	return looked
}

// firstOf is the place of the first member of a set in list, or its length.
func firstOf(set []uint64, base int, list []uint32) int {
	for i, u := range list {
		if v := base + int(u); set[v/64]>>(v%64)&1 != 0 {
			return i
		}
	}
	return len(list)
}
