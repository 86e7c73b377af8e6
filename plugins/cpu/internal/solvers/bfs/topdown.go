package bfs

import (
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
)

// topDownTask is what a task of a level top down has in hand: neighbours of the frontier, of
// which those remain who were not reached before.
//
//	gather ──▶ neighbours ──take──▶ the new ones ──deliver──▶ queue, values
type topDownTask[T float64 | int64 | bool] struct {
	flood      *levels[T]
	value      T
	tail       *atomic.Int64 // of the queue
	alone      bool          // there is no other task
	edges      uint64        // of all whom the task has reached
	count      int
	neighbours [taskVertices]uint32
}

const taskVertices = 1 << 10

// reach gives the value to the neighbours of some that were not reached before.
func (c *topDownTask[T]) reach(some []uint32) {
	for _, v := range some {
		for _, r := range c.flood.cover[v/parallel.BlockVertices] {
			base := uint32(r.Cols.Base)
			for list := r.List(int(v)); len(list) > 0; {
				list = c.gather(list, base)
			}
		}
	}
	c.deliver()
}

// gather adds those of list for whom there is room, and returns the others.
func (c *topDownTask[T]) gather(list []uint32, base uint32) []uint32 {
	if c.count == taskVertices {
		c.deliver()
	}
	room := c.neighbours[c.count:]
	n := min(len(list), len(room))
	for i, u := range list[:n] {
		room[i] = base + u
	}
	c.count += n
	return list[n:]
}

// deliver gives the value to those who were not reached before and puts them into the queue.
func (c *topDownTask[T]) deliver() {
	all := c.neighbours[:c.count]
	c.count = 0
	if c.alone {
		all = filterUnvisited(c.flood.visited, all)
	} else {
		all = claimUnvisited(c.flood.visited, all)
	}
	end := int(c.tail.Add(int64(len(all))))
	copy(c.flood.queue[end-len(all):end], all)
	for _, v := range all {
		c.flood.values[v] = c.value
	}
	c.edges += c.flood.degrees(all)
}

// filterUnvisited visits all, and keeps those whom nobody had. Whether one was is hard to foretell:
// each is kept, and the next takes its place if it was.
func filterUnvisited(visited []uint64, all []uint32) []uint32 {
	count := 0
	for _, u := range all {
		word := visited[u/64]
		visited[u/64] = word | 1<<(u%64)
		all[count] = u
		count += int(^word >> (u % 64) & 1)
	}
	return all[:count]
}

// claimUnvisited does what take does while others may visit them too: one of all is the first.
func claimUnvisited(visited []uint64, all []uint32) []uint32 {
	count := 0
	for _, u := range all {
		if visit(visited, u) {
			all[count] = u
			count++
		}
	}
	return all[:count]
}

// visit is true for the first who visits v.
func visit(visited []uint64, v uint32) bool {
	word, bit := &visited[v/64], uint64(1)<<(v%64)
	return atomic.LoadUint64(word)&bit == 0 && atomic.OrUint64(word, bit)&bit == 0
}

// degrees is how many edges some have.
func (f *levels[T]) degrees(some []uint32) (edges uint64) {
	for _, v := range some {
		for _, r := range f.cover[v/parallel.BlockVertices] {
			edges += uint64(len(r.List(int(v))))
		}
	}
	return edges
}
