package cut_test

import (
	"maps"
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

// A piece of a chunk has rows of its own, from its first list to its last: where most of these have a list it names no
// vertices, though the chunk has several times as many rows.
func TestCompact_PiecesNameNoVertices(t *testing.T) {
	chunktest.EachSeed(t, 100, func(t *testing.T, r *rand.Rand) {
		mem := chunktest.LeakChecked(t)
		g := weighted{n: 1000}
		g.cols.Count = uint64(g.n)
		var vertices []int
		for v := range g.n {
			g.neighbors, g.weights = append(g.neighbors, nil), append(g.weights, nil)
			if r.IntN(20) > 0 {
				g.neighbors[v], g.weights[v] = []uint32{uint32(r.IntN(g.n))}, []float64{r.Float64()}
			}
			vertices = append(vertices, v)
		}
		c := g.lists(t, mem, chunk.Interval{Count: uint64(g.n)}, vertices, false)
		all := cut.All(c).Lists()
		_, piece := cut.All(c).SplitAt(r.IntN(all - 300))
		piece, _ = piece.SplitAt(200 + r.IntN(100))
		long, short := encode(t, []cut.Selection{piece}, false), encode(t, []cut.Selection{piece}, true)
		if err := short.Validate(); err != nil {
			t.Fatal(err)
		}
		if short.Vertices() != nil || short.EncodedSize() >= long.EncodedSize() {
			t.Errorf("%d lists of %d name their vertices: %d bytes, %d by name", piece.Lists(), all, short.EncodedSize(),
				long.EncodedSize())
		}
		if !maps.EqualFunc(listsOf(short), listsOf(long), slices.Equal) || !slices.Equal(weightsOf(short), weightsOf(long)) {
			t.Error("other lists or weights")
		}
		moved := encodeMoved(t, []cut.Selection{piece}, true, func(g *cut.Subgraph) {
			g.MoveRows(chunk.Interval{Count: uint64(g.Rows())}, 64*77)
		})
		if err := moved.Validate(); err != nil || moved.Vertices() != nil {
			t.Fatalf("moved: %v, or it names its vertices", err)
		}
		for v, list := range listsOf(moved) {
			if !slices.Equal(list, listsOf(long)[v-64*77]) {
				t.Errorf("moved vertex %d has %v; expected %v", v, list, listsOf(long)[v-64*77])
			}
		}
	})
}

func encode(t *testing.T, selections []cut.Selection, compact bool) *chunk.Chunk {
	t.Helper()
	return encodeMoved(t, selections, compact, func(*cut.Subgraph) {})
}

func encodeMoved(t *testing.T, selections []cut.Selection, compact bool, move func(*cut.Subgraph)) *chunk.Chunk {
	t.Helper()
	g, err := cut.Join(selections...)
	if err != nil {
		t.Fatal(err)
	}
	if compact {
		g.Compact()
	}
	move(g)
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
