package cut_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/formats/chunk/internal/chunktest"
)

// A compact subgraph has the same lists as one that names its vertices, is valid, and takes no more.
func TestCompact_SameListsInLess(t *testing.T) {
	var unnamed, named int
	chunktest.EachSeed(t, 300, func(t *testing.T, r *rand.Rand) {
		mem := chunktest.LeakChecked(t)
		g := randomWeighted(r).sorted()
		active, _ := randomSet(r, g.n)
		var selections []cut.Selection
		for _, c := range g.strips(t, r, mem) {
			selections = append(selections, cut.Select(c, active, 0, chunk.Places{}))
		}
		long, short := encode(t, selections, false), encode(t, selections, true)
		if err := short.Validate(); err != nil {
			t.Fatal(err)
		}
		if short.EncodedSize() > long.EncodedSize() {
			t.Errorf("%d bytes; with its vertices named %d", short.EncodedSize(), long.EncodedSize())
		}
		if short.Vertices() == nil {
			unnamed++
		} else {
			named++
		}
		want, got := listsOf(long), listsOf(short)
		if len(want) != len(got) {
			t.Fatalf("%d lists; expected %d", len(got), len(want))
		}
		for v, list := range want {
			if !slices.Equal(list, got[v]) {
				t.Fatalf("vertex %d has %v; expected %v", v, got[v], list)
			}
		}
		if !slices.Equal(weightsOf(long), weightsOf(short)) {
			t.Error("other weights")
		}
	})
	if unnamed == 0 || named == 0 {
		t.Errorf("%d leave vertices out, %d do not", unnamed, named)
	}
}

func encode(t *testing.T, selections []cut.Selection, compact bool) *chunk.Chunk {
	t.Helper()
	g, err := cut.Join(selections...)
	if err != nil {
		t.Fatal(err)
	}
	if compact {
		g.Compact()
	}
	dst := chunk.Aligned(g.EncodedSize())
	for i := range dst {
		dst[i] = 0xAA
	}
	if _, err := g.EncodeTo(dst, 2); err != nil {
		t.Fatal(err)
	}
	c, err := chunk.Open(dst)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Release)
	return c
}

// listsOf are the lists that are not empty, by vertex.
func listsOf(c *chunk.Chunk) map[uint64][]uint32 {
	all := map[uint64][]uint32{}
	for row := range c.Rows() {
		v := c.Meta().Rows.Base + uint64(row)
		if named := c.Vertices(); named != nil {
			v = c.Meta().Rows.Base + uint64(named[row])
		}
		if list := c.Neighbors()[c.Offsets()[row]:c.Offsets()[row+1]]; len(list) > 0 {
			all[v] = list
		}
	}
	return all
}

func weightsOf(c *chunk.Chunk) []float64 {
	values, _ := c.Column("weight")
	return values.(*array.Float64).Float64Values()
}
