package core

import (
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/testseed"
)

// The densest interval is the best of all that begin at a block, and what it says is inside is so.
func TestGrid_DensestOfAll(t *testing.T) {
	rng := testseed.Rand(t)
	for range 60 {
		n := 1 + rng.Uint64N(3000)
		c, edges := randomChunk(t, rng, n)
		g := NewGrid(n)
		g.Add(c)
		c.Release()
		block := uint64(1) << g.shift
		inside := func(i chunk.Interval) (count uint64) {
			for _, e := range edges {
				if e.row >= i.Base && e.row < i.End() && e.col >= i.Base && e.col < i.End() {
					count++
				}
			}
			return count
		}
		size := 1 + rng.Uint64N(n)
		best, count := g.Densest(size)
		if count != inside(best) || best.Count == 0 || best.End() > n || best.Count > max(size, block) {
			t.Fatalf("of %d vertices, at most %d: %+v with %d edges; it has %d", n, size, best, count, inside(best))
		}
		for from := uint64(0); from+best.Count <= n; from += block {
			if more := inside(chunk.Interval{Base: from, Count: best.Count}); more > count {
				t.Fatalf("at most %d of %d: %+v has %d edges; from %d on there are %d", size, n, best, count, from, more)
			}
		}
	}
}
