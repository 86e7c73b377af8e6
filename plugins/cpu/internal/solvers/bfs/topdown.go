package bfs

import (
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
)

// topDownTask is a task of a level top down. It collects neighbors of the frontier and keeps
// those that no level has reached, as the queue buffers of the GAP Benchmark Suite do.
//
//	gather ──▶ neighbors ──filter or claim──▶ unvisited ones ──deliver──▶ queue, values
type topDownTask[T float64 | int64 | bool] struct {
	levels    *levels[T]
	value     T
	tail      *atomic.Int64 // of the queue
	only      bool          // there is no other task
	edges     uint64        // of all vertices that the task has reached
	count     int
	neighbors [taskVertices]uint32
}

const taskVertices = 1 << 10

// reach gives the value to the neighbors of some that were not reached before.
func (c *topDownTask[T]) reach(some []uint32) {
	for _, v := range some {
		for _, r := range c.levels.cover[v/parallel.BlockVertices] {
			base := uint32(r.Cols.Base)
			for list := r.List(int(v)); len(list) > 0; {
				list = c.gather(list, base)
			}
		}
	}
	c.deliver()
}

// gather adds as much of list as there is room for, and returns the others.
func (c *topDownTask[T]) gather(list []uint32, base uint32) []uint32 {
	if c.count == taskVertices {
		c.deliver()
	}
	room := c.neighbors[c.count:]
	n := min(len(list), len(room))
	for i, u := range list[:n] {
		room[i] = base + u
	}
	c.count += n
	return list[n:]
}

// deliver gives the value to the unvisited ones and puts them into the queue.
func (c *topDownTask[T]) deliver() {
	all := c.neighbors[:c.count]
	c.count = 0
	if c.only {
		all = filterUnvisited(c.levels.visited, all)
	} else {
		all = claimUnvisited(c.levels.visited, all)
	}
	end := int(c.tail.Add(int64(len(all))))
	copy(c.levels.queue[end-len(all):end], all)
	for _, v := range all {
		c.levels.values[v] = c.value
	}
	c.edges += c.levels.degrees(all)
}

// filterUnvisited visits all, and keeps those that were unvisited. The branch is hard to predict:
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

// claimUnvisited does what filterUnvisited does while other tasks may visit them too: one of all is the first.
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

// visit is true for the first that visits v.
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
