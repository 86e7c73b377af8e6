package kit

import (
	"strings"
	"sync"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// Identity tells a chunk from any other that may be put in its place: by the place, and by its trailer, which vouches
// for its header and so for all the rest. Equal identities are equal chunks.
type Identity struct {
	place   place
	trailer string
}

// place is where a chunk lies: in the arena, or in a file. These columns of it are looked at.
type place struct {
	file, columns string
	at            arena.Range
}

// trailerSize is the end of an encoded chunk, in which its checksums are.
const trailerSize = 64

func identify(c plugins.Command, buf []byte, columns []string) Identity {
	return Identity{place{c.File, strings.Join(columns, "\x00"), c.At}, string(buf[max(0, len(buf)-trailerSize):])}
}

// Known are the chunks of one arena, the last that a session has used, which that
// session has validated and not evicted. The host leaves them as they are (plugins.Job),
// so that the next session need not look at every edge again. Several goroutines may use it.
type Known struct {
	mu     sync.Mutex // protects all
	arena  *arena.Arena
	chunks map[place]string // trailers
}

// has tells whether this chunk was validated where it lies.
func (k *Known) has(a *arena.Arena, i Identity) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	trailer, ok := k.chunks[i.place]
	return ok && k.arena == a && trailer == i.trailer
}

// add remembers a chunk, and forgets those of other arenas.
func (k *Known) add(a *arena.Arena, i Identity) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.arena != a {
		k.arena, k.chunks = a, map[place]string{}
	}
	k.chunks[i.place] = i.trailer
}

// forget is for a range that the host gets back.
func (k *Known) forget(a *arena.Arena, i Identity) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.arena == a {
		delete(k.chunks, i.place)
	}
}
