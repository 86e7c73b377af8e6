package dataset

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/batch"
	"github.com/penstock-db/penstock/store"
)

// members are vertices without edges, called a, b and c. They are a formats.Source.
type members struct{}

func (members) Schema() formats.Schema {
	return formats.Schema{Orientation: formats.Directed, NodesDeclared: true, Vertices: -1, Edges: -1}
}

func (members) Nodes(ctx context.Context, yield func(*formats.NodeBatch) error) error {
	b := batch.NewNodes(ctx, memory.DefaultAllocator, "members", nil, yield)
	defer b.Release()
	for i, user := range []string{"a", "b", "c"} {
		b.ID.Append(user)
		if err := b.EndRow(int64(i)); err != nil {
			return err
		}
	}
	return b.Flush()
}

func (members) Edges(context.Context, func(*formats.EdgeBatch) error) error { return nil }
func (members) Close() error                                                { return nil }

// withProperty stores the members with a property called p; the second vertex lacks it where it is gappy.
func withProperty(t *testing.T, build func(array.Builder, int), kind arrow.DataType, gappy bool) *store.Snapshot {
	t.Helper()
	db, err := store.Open(t.TempDir(), store.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if _, err := db.Load(t.Context(), "g", members{}, store.LoadOptions{}); err != nil {
		t.Fatal(err)
	}
	base, err := db.Snapshot("g")
	if err != nil {
		t.Fatal(err)
	}
	defer base.Close()
	b := array.NewBuilder(memory.DefaultAllocator, kind)
	for v := range 3 {
		if gappy && v == 1 {
			b.AppendNull()
		} else {
			build(b, v)
		}
	}
	columns := []store.PropertyColumn{{Name: "p", Values: b.NewArray()}}
	if _, err := db.WriteProperties(t.Context(), base, columns, store.Provenance{}); err != nil {
		t.Fatal(err)
	}
	snap, err := db.Snapshot("g")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(snap.Close)
	return snap
}

// What a procedure is given is the property of each vertex, as the numbers that it reads; where there is none, what the
// input says, or an error that names the property and the vertex.
func TestFill(t *testing.T) {
	int64s := func(b array.Builder, v int) { b.(*array.Int64Builder).Append(int64(v) - 1<<60) }
	uint64s := func(b array.Builder, v int) { b.(*array.Uint64Builder).Append(math.MaxUint64 >> (2 - v)) }
	int16s := func(b array.Builder, v int) { b.(*array.Int16Builder).Append(int16(-v)) }
	float64s := func(b array.Builder, v int) { b.(*array.Float64Builder).Append([]float64{0.5, math.Inf(1), 2}[v]) }
	float32s := func(b array.Builder, v int) { b.(*array.Float32Builder).Append(float32(v) / 4) }
	texts := func(b array.Builder, _ int) { b.(*array.StringBuilder).Append("red") }
	for _, c := range []struct {
		name    string
		build   func(array.Builder, int)
		kind    arrow.DataType
		gappy   bool
		want    algorithms.Type
		missing string
		ints    []int64
		floats  []float64
		message string
	}{
		{name: "whole numbers", build: int64s, kind: arrow.PrimitiveTypes.Int64, want: algorithms.Int,
			ints: []int64{-1 << 60, 1 - 1<<60, 2 - 1<<60}},
		{name: "short ones", build: int16s, kind: arrow.PrimitiveTypes.Int16, want: algorithms.Int, ints: []int64{0, -1, -2}},
		{name: "as floats", build: int16s, kind: arrow.PrimitiveTypes.Int16, floats: []float64{0, -1, -2}},
		{name: "floats", build: float32s, kind: arrow.PrimitiveTypes.Float32, floats: []float64{0, 0.25, 0.5}},
		{name: "one is missing", build: int64s, kind: arrow.PrimitiveTypes.Int64, gappy: true, want: algorithms.Int,
			message: `property "p" of vertex b is missing`},
		{name: "and has a default", build: int64s, kind: arrow.PrimitiveTypes.Int64, gappy: true, want: algorithms.Int,
			missing: "-1", ints: []int64{-1 << 60, -1, 2 - 1<<60}},
		{name: "a float is, too", build: float32s, kind: arrow.PrimitiveTypes.Float32, gappy: true, missing: "9.5",
			floats: []float64{0, 9.5, 0.5}},
		{name: "a default that is none", build: int64s, kind: arrow.PrimitiveTypes.Int64, want: algorithms.Int, missing: "x",
			message: `property "p" of graph g has no default`},
		{name: "infinity", build: float64s, kind: arrow.PrimitiveTypes.Float64, message: `property "p" of vertex b is +Inf`},
		{name: "beyond 64 bits", build: uint64s, kind: arrow.PrimitiveTypes.Uint64, want: algorithms.Int,
			message: `property "p" of vertex c is 18446744073709551615`},
		{name: "texts", build: texts, kind: arrow.BinaryTypes.String, want: algorithms.Int,
			message: `property "p" of graph g is of type utf8; expected numbers`},
	} {
		t.Run(c.name, func(t *testing.T) {
			snap := withProperty(t, c.build, c.kind, c.gappy)
			in := algorithms.VertexInput{Column: algorithms.Column{Type: c.want}, Property: "p", Missing: c.missing}
			got := algorithms.NewValues(in.Column, 3)
			err := Fill(t.Context(), snap, in, got)
			var wrong *PropertyError
			switch {
			case c.message != "" && (!errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), c.message)):
				t.Errorf("%v; expected %s", err, c.message)
			case c.message == "" && err != nil:
				t.Error(err)
			case c.message == "" && (!slices.Equal(got.Ints, c.ints) || !slices.Equal(got.Floats, c.floats)):
				t.Errorf("%v, %v; expected %v, %v", got.Ints, got.Floats, c.ints, c.floats)
			}
		})
	}
}
