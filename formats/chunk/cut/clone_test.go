package cut_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/formats/chunk/internal/chunktest"
)

// A clone has the same lists when the chunk's memory has other content, and joins with others as the selection would.
func TestClone_HasMemoryOfItsOwn(t *testing.T) {
	chunktest.EachSeed(t, 100, func(t *testing.T, r *rand.Rand) {
		mem := chunktest.LeakChecked(t)
		g := randomWeighted(r).sorted()
		active, _ := randomSet(r, g.n)
		var selections, clones []cut.Selection
		for _, c := range g.strips(t, r, mem) {
			s := cut.Select(c, active, 0, chunk.Places{})
			if s.Edges() == 0 {
				continue
			}
			buf := chunk.Aligned(c.EncodedSize())
			if _, err := c.EncodeTo(buf); err != nil {
				t.Fatal(err)
			}
			passing, err := chunk.Open(buf)
			if err != nil {
				t.Fatal(err)
			}
			clone, err := cut.Select(passing, active, 0, chunk.Places{}).Clone()
			if err != nil {
				t.Fatal(err)
			}
			passing.Release()
			clear(buf)
			if clone.Bytes() != s.Bytes() || clone.Lists() != s.Lists() {
				t.Fatalf("%d lists in %d bytes; expected %d in %d", clone.Lists(), clone.Bytes(), s.Lists(), s.Bytes())
			}
			selections, clones = append(selections, s), append(clones, clone)
		}
		if len(selections) == 0 {
			return
		}
		want, got := encode(t, selections, true), encode(t, clones, true)
		if got.Meta() != want.Meta() || !slices.Equal(got.Vertices(), want.Vertices()) ||
			!slices.Equal(got.Offsets(), want.Offsets()) || !slices.Equal(got.Neighbors(), want.Neighbors()) ||
			!slices.Equal(weightsOf(got), weightsOf(want)) {
			t.Errorf("%+v, expected %+v", got.Meta(), want.Meta())
		}
	})
}
