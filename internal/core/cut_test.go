package core

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/testseed"
)

// edge is one of a chunk's, in the graph's numbers, with what its columns say.
type edge struct {
	row, col uint64
	weight   float64
	toll     int64
}

// randomChunk draws rows × cols of a graph of n vertices, with all rows or some, and its edges
// in their order.
func randomChunk(t testing.TB, rng *rand.Rand, n uint64) (*chunk.Chunk, []edge) {
	t.Helper()
	interval := func() chunk.Interval {
		base := rng.Uint64N(n)
		return chunk.Interval{Base: base, Count: 1 + rng.Uint64N(n-base)}
	}
	meta := chunk.Meta{Graph: "g", Snapshot: 1, Direction: chunk.Direction(rng.IntN(3)), Rows: interval(),
		Cols: interval()}
	weights, tolls := array.NewFloat64Builder(memory.DefaultAllocator), array.NewInt64Builder(memory.DefaultAllocator)
	var edges []edge
	var vertices, neighbors []uint32
	offsets, sparse := []int32{0}, rng.IntN(2) == 0
	if sparse {
		vertices = []uint32{}
	}
	for row := range uint32(meta.Rows.Count) {
		if sparse && rng.IntN(2) == 0 {
			continue
		}
		list := make([]uint32, rng.IntN(9))
		for i := range list {
			list[i] = rng.Uint32N(uint32(meta.Cols.Count))
		}
		slices.Sort(list)
		for _, col := range list {
			e := edge{meta.Rows.Base + uint64(row), meta.Cols.Base + uint64(col), rng.Float64(), rng.Int64()}
			edges, neighbors = append(edges, e), append(neighbors, col)
			weights.Append(e.weight)
			tolls.Append(e.toll)
		}
		if sparse {
			vertices = append(vertices, row)
		}
		offsets = append(offsets, int32(len(neighbors)))
	}
	columns := []chunk.EdgeColumn{{Name: "weight", Values: weights.NewArray()}, {Name: "toll", Values: tolls.NewArray()}}
	c, err := chunk.FromCSR(memory.DefaultAllocator, meta, vertices, offsets, neighbors, columns)
	if err != nil {
		t.Fatal(err)
	}
	return c, edges
}

// edgesOf reads them back.
func edgesOf(t testing.TB, c *chunk.Chunk) (edges []edge) {
	t.Helper()
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	weights, _ := c.Column("weight")
	tolls, _ := c.Column("toll")
	l := listsOf(c, nil)
	for row := range c.Rows() {
		for at, to := l.span(row); at < to; at++ {
			edges = append(edges, edge{l.rows + uint64(l.local(row)), l.neighbor(at), weights.(*array.Float64).Value(at),
				tolls.(*array.Int64).Value(at)})
		}
	}
	return edges
}

// encoded is c after a way through bytes, as a device sees it.
func encoded(t testing.TB, c *chunk.Chunk) *chunk.Chunk {
	t.Helper()
	bytes := chunk.Aligned(c.EncodedSize())
	n, err := c.EncodeTo(bytes)
	if err != nil {
		t.Fatal(err)
	}
	opened, err := chunk.Open(bytes[:n])
	if err != nil {
		t.Fatal(err)
	}
	if err := opened.Verify(); err != nil {
		t.Fatal(err)
	}
	return opened
}

// The two parts are all edges, each in one of them, in their order and with their columns.
func TestCut_EveryEdgeIsInOnePart(t *testing.T) {
	rng := testseed.Rand(t)
	for range 300 {
		n := 1 + rng.Uint64N(200)
		c, edges := randomChunk(t, rng, n)
		core, linked := NewSet(n), NewSet(n)
		for range rng.Uint64N(n + 1) {
			core.Add(rng.Uint64N(n))
		}
		var want [2][]edge
		ends := NewSet(n)
		for _, e := range edges {
			if core.Has(e.row) && core.Has(e.col) {
				want[Core] = append(want[Core], e)
				ends.Add(e.row)
				ends.Add(e.col)
			} else {
				want[Rest] = append(want[Rest], e)
			}
		}
		for _, part := range []Part{Core, Rest} {
			cut, err := Cut(c, core, part)
			if err != nil {
				t.Fatal(err)
			}
			back := encoded(t, cut)
			if got := edgesOf(t, back); !slices.Equal(got, want[part]) || back.Meta() != c.Meta() {
				t.Fatalf("part %d of %+v: %v; want %v", part, c.Meta(), got, want[part])
			}
			if part == Rest && back.EncodedSize() > encoded(t, c).EncodedSize() {
				t.Fatalf("the rest takes %d bytes, all %d", back.EncodedSize(), encoded(t, c).EncodedSize())
			}
			back.Release()
			cut.Release()
		}
		if inside := Inside(c, core, linked); inside != uint64(len(want[Core])) || fmt.Sprint(linked) != fmt.Sprint(ends) {
			t.Fatalf("%d edges inside, ends %v; want %d, %v", inside, linked, len(want[Core]), ends)
		}
		c.Release()
	}
}
