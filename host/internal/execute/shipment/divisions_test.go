package shipment

import (
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
)

// complete is a chunk in which each of n vertices has an edge to all.
func complete(t *testing.T, n int) *chunk.Chunk {
	t.Helper()
	offsets, neighbors := []int32{0}, []uint32{}
	for range n {
		for v := range n {
			neighbors = append(neighbors, uint32(v))
		}
		offsets = append(offsets, int32(len(neighbors)))
	}
	all := chunk.Interval{Count: uint64(n)}
	c, err := chunk.FromCSR(memory.DefaultAllocator, chunk.Meta{Graph: "g", Rows: all, Cols: all}, nil, offsets, neighbors,
		nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Release)
	return c
}

// As many chunks as there is room for are divided, each once; of another, and of columns that are not the grid's,
// nothing is kept.
func TestDivisions_KeepWhatTheyHaveRoomFor(t *testing.T) {
	const n = 6
	c, cols := complete(t, n), []chunk.Interval{{Count: 2}, {Base: 2, Count: 4}}
	d := NewDivisions(cols, 2*cut.DivisionBytes(n, len(cols))+1)
	for i, want := range []struct {
		number      int
		cols        chunk.Interval
		divided, ok bool
		edges       int
	}{
		{0, cols[1], true, true, n * 4}, {0, cols[0], false, true, n * 2}, {7, cols[0], true, true, n * 2},
		{3, cols[0], false, false, 0}, {7, cols[1], false, true, n * 4}, {0, chunk.Interval{Count: 1}, false, false, 0},
	} {
		part, divided, ok := d.cell(want.number, c, want.cols, nil, chunk.Places{})
		if divided != want.divided || ok != want.ok || ok && part.Edges() != want.edges {
			t.Errorf("%d: %d edges, divided %v, ok %v; want %+v", i, part.Edges(), divided, ok, want)
		}
	}
	senders := Senders{Interval: chunk.Interval{Count: n}, Words: []uint64{5}}
	if part, _, ok := d.cell(0, c, cols[1], &senders, chunk.Places{}); !ok || part.Edges() != 2*4 {
		t.Errorf("%d edges of two senders, ok %v", part.Edges(), ok)
	}
}
