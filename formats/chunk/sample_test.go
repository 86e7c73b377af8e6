package chunk_test

import (
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/internal/chunktest"
)

// fourVertices is the graph that doc.go draws.
func fourVertices(t testing.TB, mem memory.Allocator) *chunk.Chunk {
	weight := array.NewFloat64Builder(mem)
	defer weight.Release()
	weight.AppendValues([]float64{0.5, 2, 1, 0.25}, nil)
	values := weight.NewArray()
	defer values.Release()
	interval := chunk.Interval{Count: 4}
	meta := chunk.Meta{Graph: "four", Snapshot: 1, Rows: interval, Cols: interval}
	return chunktest.FromCSR(t, mem, meta, nil, []int32{0, 2, 3, 3, 4}, []uint32{1, 2, 2, 0},
		chunk.EdgeColumn{Name: "weight", Values: values})
}

// requireEqual compares everything that chunks let see.
func requireEqual(t testing.TB, got, want *chunk.Chunk) {
	t.Helper()
	if got.Meta() != want.Meta() || got.Stats() != want.Stats() {
		t.Fatalf("%+v %+v; expected %+v %+v", got.Meta(), got.Stats(), want.Meta(), want.Stats())
	}
	if (got.Vertices() == nil) != (want.Vertices() == nil) || !slices.Equal(got.Vertices(), want.Vertices()) {
		t.Fatalf("vertices %v; expected %v", got.Vertices(), want.Vertices())
	}
	if !slices.Equal(got.Offsets(), want.Offsets()) || !slices.Equal(got.Neighbors(), want.Neighbors()) {
		t.Fatalf("lists %v %v; expected %v %v", got.Offsets(), got.Neighbors(), want.Offsets(), want.Neighbors())
	}
	one, other := got.Record(), want.Record()
	defer one.Release()
	defer other.Release()
	if !one.Schema().Equal(other.Schema()) || !array.RecordEqual(one, other) {
		t.Fatalf("record\n%v\nexpected\n%v", one, other)
	}
}
