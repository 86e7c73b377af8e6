package cpu

import (
	"sync"

	"github.com/penstock-db/penstock/plugins/arena"
)

// checked are the chunks of one arena, the last that a session has used, which that
// session has validated and not evicted. The host leaves them as they are (plugins.Job),
// so that the next session need not look at every edge again. A chunk is known by its
// place and by its trailer, which vouches for its header and so for what was validated.
type checked struct {
	mu     sync.Mutex // protects all
	arena  *arena.Arena
	chunks map[place]string
}

// place is where a chunk lies: in the arena, or in a file of which these columns are looked at.
type place struct {
	file, columns string
	at            arena.Range
}

// trailerSize is the end of an encoded chunk, in which its checksums are.
const trailerSize = 64

func trailer(buf []byte) string { return string(buf[max(0, len(buf)-trailerSize):]) }

// knows tells whether the chunk at this place is one that was validated there.
func (c *checked) knows(a *arena.Arena, at place, buf []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	known, ok := c.chunks[at]
	return ok && c.arena == a && known == trailer(buf)
}

// add remembers a chunk, and forgets those of other arenas.
func (c *checked) add(a *arena.Arena, at place, buf []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.arena != a {
		c.arena, c.chunks = a, map[place]string{}
	}
	c.chunks[at] = trailer(buf)
}

// forget is for a range that the host gets back.
func (c *checked) forget(a *arena.Arena, at place) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.arena == a {
		delete(c.chunks, at)
	}
}
