package supply

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// Cache is the memory that a host shares with a device, and the chunks that are in it or in files that both map. It may
// serve one run after another.
type Cache struct {
	Layout plan.Arena // where everything has its place
	Arena  *arena.Arena

	mapped atomic.Bool      // the device reads chunks in files, as far as is known
	files  *store.KeptFiles // in which chunks may be read; nil: in none

	mu     sync.Mutex // protects filled: two goroutines read
	filled map[plan.ChunkName]Place
}

// Place is where a chunk is, whole and checked: in the arena, or in a file of the store's.
type Place struct {
	File string
	arena.Range
}

// NewCache creates an arena of that size, and keeps the files of a snapshot's store.
func NewCache(snap *store.Snapshot, at plan.Arena, size uint64) (*Cache, error) {
	memory, err := arena.Create(size)
	if err != nil {
		return nil, err
	}
	return &Cache{Layout: at, Arena: memory, filled: map[plan.ChunkName]Place{}, files: snap.KeepFiles()}, nil
}

// SetMapped says whether the device reads chunks in files.
func (c *Cache) SetMapped(maps bool) { c.mapped.Store(maps) }

// Mapped tells whether the device reads chunks in files.
func (c *Cache) Mapped() bool { return c.mapped.Load() }

// Has is where a chunk is, if it is there.
func (c *Cache) Has(name plan.ChunkName) (Place, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.filled[name]
	return at, ok
}

// Fill says where a chunk is from now on.
func (c *Cache) Fill(name plan.ChunkName, at Place) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.filled[name] = at
}

// Prepare makes the cache ready for a plan: chunks of earlier runs stay while there is room for both, and the store may
// change its files where no chunk is read in them.
func (c *Cache) Prepare(p *plan.Plan) {
	switch {
	case p.Fit.Resident:
		if p.Fit.Used+c.SpareBytes(p.Chunks) > p.Budget {
			c.shed(p.Chunks)
		}
	case p.Fit.Placed > 0:
		c.shed(p.Chunks)
	default:
		c.shed(nil)
	}
	if !p.Streaming.Files {
		c.LeaveFiles()
	}
}

// SpareBytes is the bytes of chunks that are there and not among wanted.
func (c *Cache) SpareBytes(wanted []plan.Chunk) (bytes uint64) {
	for _, at := range c.unwanted(wanted) {
		bytes += at.Length
	}
	return bytes
}

// shed gives up the chunks that are not among wanted.
func (c *Cache) shed(wanted []plan.Chunk) {
	for name, at := range c.unwanted(wanted) {
		if at.File == "" {
			c.Arena.Discard(at.Range)
		}
		delete(c.filled, name)
	}
}

func (c *Cache) unwanted(wanted []plan.Chunk) map[plan.ChunkName]Place {
	rest := maps.Clone(c.filled)
	for _, each := range wanted {
		delete(rest, each.Name())
	}
	return rest
}

// FileBytes is what the chunks would take in the arena that were read in files instead.
func (c *Cache) FileBytes(chunks []plan.Chunk) (bytes uint64) {
	for _, each := range chunks {
		if there, ok := c.Has(each.Name()); ok && there.File != "" {
			bytes += plan.Aligned(uint64(each.Size))
		}
	}
	return bytes
}

// DiscardSlots gives the memory of a plan's slots back, before the results take memory. Only when the device
// has answered everything may it: chunks that came last, and in vain, may still be looked at.
func (c *Cache) DiscardSlots(p *plan.Plan) {
	for _, slot := range slices.Concat(p.Fit.Slots, p.Fit.Tiles) {
		c.Arena.Discard(slot.At)
	}
}

// Hinders tells whether the store waits for the cache to be given up.
func (c *Cache) Hinders() bool { return c.files != nil && c.files.Wanted() }

// Close gives up the arena and the store's files, which no device may use any more.
func (c *Cache) Close() {
	c.Arena.Close()
	c.LeaveFiles()
}

// LeaveFiles lets the store change its files: no chunk is read there any more.
func (c *Cache) LeaveFiles() {
	if c.files != nil {
		c.files.Release()
		c.files = nil
	}
}
