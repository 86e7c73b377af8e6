package base

import (
	"github.com/penstock-db/penstock/store/internal/snapshot"
	"slices"
	"sync"
	"sync/atomic"
)

// Cache bounds what decoded chunks and blocks take that transactions read. Who reads finds
// them in their slots without asking the cache; when room is needed, it empties the slots that
// nobody has looked into since it came by the last time (the CLOCK algorithm, Corbató 1968).
// What a reader holds at that moment lives on until it lets go. What was read of a snapshot goes
// when nobody reads that any more.
type Cache struct {
	mu    sync.Mutex
	Limit int64
	held  int64
	ring  []*cached
	hand  int
}

// cached is the part of a slot's content that the cache knows.
type cached struct {
	of    *snapshot.Snapshot
	bytes int64
	used  atomic.Bool
	empty func() // empties the slot
}

// touch notes that somebody reads it.
func (c *cached) touch() {
	if !c.used.Load() {
		c.used.Store(true)
	}
}

// admit makes room for e, which has been put in its slot.
func (c *Cache) admit(e *cached) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.held+e.bytes > c.Limit && len(c.ring) > 0 {
		c.hand %= len(c.ring)
		old := c.ring[c.hand]
		if old.used.Swap(false) {
			c.hand++
			continue
		}
		old.empty()
		c.held -= old.bytes
		last := len(c.ring) - 1
		c.ring[c.hand], c.ring[last] = c.ring[last], nil
		c.ring = c.ring[:last]
	}
	c.held += e.bytes
	c.ring = append(c.ring, e)
}

// forget lets go of what was read of a snapshot, which nobody reads any more.
func (c *Cache) forget(s *snapshot.Snapshot) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ring = slices.DeleteFunc(c.ring, func(e *cached) bool {
		if e.of == s {
			c.held -= e.bytes
		}
		return e.of == s
	})
}
