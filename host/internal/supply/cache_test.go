package supply

import (
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// numbered is a chunk of 100 bytes.
func numbered(n uint32) plan.Chunk {
	return plan.Chunk{Info: store.ChunkInfo{Direction: chunk.Out, Number: n}, Size: 100, Device: 100}
}

// What an earlier run has left stays beside a resident one as long as both have room, beside chunks that have places of
// their own only if it is of these, and beside slots never.
func TestCache_Prepare(t *testing.T) {
	wanted := []plan.Chunk{numbered(0), numbered(1)}
	for name, c := range map[string]struct {
		fit  plan.Fit
		left []uint32
	}{
		"room for all":      {plan.Fit{Resident: true, Used: 900}, []uint32{0, 2}},
		"room for wanted":   {plan.Fit{Resident: true, Used: 901}, []uint32{0}},
		"places of its own": {plan.Fit{Placed: 1}, []uint32{0}},
		"slots":             {plan.Fit{}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			memory, err := arena.Create(1 << 20)
			if err != nil {
				t.Fatal(err)
			}
			cache := &Cache{Arena: memory, filled: map[plan.ChunkName]Place{}}
			t.Cleanup(cache.Close)
			for _, n := range []uint32{0, 2} {
				cache.Fill(numbered(n).Name(), Place{Range: arena.Range{Offset: uint64(n) << 12, Length: 100}})
			}
			cache.Prepare(&plan.Plan{Budget: 1000, Fit: c.fit, Chunks: wanted})
			for _, n := range c.left {
				if _, ok := cache.Has(numbered(n).Name()); !ok {
					t.Errorf("chunk %d is gone", n)
				}
			}
			if len(cache.filled) != len(c.left) {
				t.Errorf("there are %v, expected %v", cache.filled, c.left)
			}
		})
	}
}

// Of chunks that are read in files the arena has none.
func TestCache_FileBytes(t *testing.T) {
	cache := &Cache{filled: map[plan.ChunkName]Place{}}
	cache.Fill(numbered(0).Name(), Place{File: "table"})
	cache.Fill(numbered(1).Name(), Place{})
	if got := cache.FileBytes([]plan.Chunk{numbered(0), numbered(1), numbered(2)}); got != plan.Aligned(100) {
		t.Errorf("%d bytes", got)
	}
}
