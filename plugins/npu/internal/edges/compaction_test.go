package edges

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/testseed"
)

// A vertex has a number if and only if it has an edge; numbers are in the order of the graph's.
func TestCompact(t *testing.T) {
	r := testseed.Rand(t)
	for range 100 {
		n := 1 + r.IntN(300)
		chunks, want := Chunks{}, map[uint32]bool{}
		for k := range uint32(r.IntN(4)) {
			chunks[k] = randomLists(r, n, want)
		}
		c := Compact(chunks, n)
		if c.N() != len(want) || !slices.IsSorted(c.IDs) {
			t.Fatalf("%d of %d vertices are linked: %v; expected %d", c.N(), n, c.IDs, len(want))
		}
		for i, id := range c.IDs {
			if !want[id] || c.Of(uint64(id)) != uint32(i) {
				t.Fatalf("vertex %d has number %d, and back %d; linked %v", id, i, c.Of(uint64(id)), want[id])
			}
		}
	}
}

// randomLists is a chunk of some rows and columns of n vertices; it adds the ends of its edges.
func randomLists(r *rand.Rand, n int, ends map[uint32]bool) *Chunk {
	interval := func() chunk.Interval {
		base := r.IntN(n)
		return chunk.Interval{Base: uint64(base), Count: uint64(1 + r.IntN(n-base))}
	}
	c := &Chunk{rows: interval(), cols: interval(), offsets: []int32{0}}
	for v := range c.rows.Count {
		if r.IntN(3) == 0 {
			continue // the chunk has no such row
		}
		c.vertices = append(c.vertices, uint32(v))
		for range r.IntN(3) {
			u := r.Uint64N(c.cols.Count)
			c.neighbors = append(c.neighbors, uint32(u))
			ends[uint32(c.rows.Base+v)], ends[uint32(c.cols.Base+u)] = true, true
		}
		c.offsets = append(c.offsets, int32(len(c.neighbors)))
	}
	if c.vertices == nil {
		c.vertices = []uint32{}
	}
	return c
}
