package cut_test

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/formats/chunk/internal/chunktest"
)

// What leads across column intervals is, to the byte, what Within cuts out for each.
func TestSelection_AcrossIsWithinEach(t *testing.T) {
	chunktest.EachSeed(t, 300, func(t *testing.T, r *rand.Rand) {
		mem := chunktest.LeakChecked(t)
		g := randomWeighted(r).sorted()
		cols := randomColumns(r, g.n)
		for _, c := range g.strips(t, r, mem) {
			for q, part := range cut.All(c).Across(cols) {
				same(t, r, part, cut.All(c).Within(cols[q]))
			}
		}
	})
}

// SplitAt divides lists and keeps all.
func TestSelection_SplitAt(t *testing.T) {
	chunktest.EachSeed(t, 100, func(t *testing.T, r *rand.Rand) {
		mem := chunktest.LeakChecked(t)
		for _, c := range randomWeighted(r).strips(t, r, mem) {
			all := cut.All(c)
			n := r.IntN(all.Lists() + 1)
			first, rest := all.SplitAt(n)
			if first.Lists() != n || first.Lists()+rest.Lists() != all.Lists() || first.Edges()+rest.Edges() != all.Edges() {
				t.Fatalf("%d lists of %d at %d, and %d", first.Lists(), all.Lists(), n, rest.Lists())
			}
			if n > 0 && n < all.Lists() {
				same(t, r, all, first, rest)
			}
		}
	})
}
