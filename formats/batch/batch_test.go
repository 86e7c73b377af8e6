package batch

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
)

// A record that a consumer retains keeps its values while the batches go on.
func TestEdges_RetainedRecord(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	schema := arrow.NewSchema([]arrow.Field{{Name: "x", Type: arrow.PrimitiveTypes.Float64},
		{Name: "n", Type: arrow.PrimitiveTypes.Int64}}, nil)
	var kept []arrow.Record
	edges := NewEdges(context.Background(), mem, "f", schema, func(b *formats.EdgeBatch) error {
		b.Props.Retain()
		kept = append(kept, b.Props)
		return nil
	})
	defer edges.Release()
	const rows = formats.BatchRows + 5
	for i := range int64(rows) {
		edges.Float(0).Append(float64(i))
		edges.Int(1).Append(-i)
		if err := edges.Add(i, i, i); err != nil {
			t.Fatal(err)
		}
	}
	if err := edges.Flush(); err != nil {
		t.Fatal(err)
	}
	i := int64(0)
	for _, record := range kept {
		x, n := record.Column(0).(*array.Float64), record.Column(1).(*array.Int64)
		for row := range x.Len() {
			if x.Value(row) != float64(i) || n.Value(row) != -i {
				t.Fatalf("row %d is %v, %v", i, x.Value(row), n.Value(row))
			}
			i++
		}
		record.Release()
	}
	if len(kept) != 2 || i != rows {
		t.Errorf("%d batches, %d rows", len(kept), i)
	}
}

func TestInterval(t *testing.T) {
	var ids []int64
	declared := formats.Position{File: "f", Line: 3}
	err := Interval(context.Background(), 7, 7+formats.BatchRows+2, declared, func(b *formats.NodeBatch) error {
		if b.Where(b.ID.Len()-1) != declared {
			t.Errorf("declared at %v", b.Where(0))
		}
		ids = append(ids, b.ID.Ints...)
		return nil
	})
	if err != nil || len(ids) != formats.BatchRows+2 || ids[0] != 7 || !slices.IsSorted(ids) || ids[len(ids)-1] != 8+
		formats.BatchRows {
		t.Errorf("%d ids, %v", len(ids), err)
	}
}

func TestNodes_Canceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := Interval(ctx, 0, 10, formats.Position{File: "f"}, func(*formats.NodeBatch) error {
		t.Error("a batch after the end")
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestAppendID(t *testing.T) {
	var ids formats.IDs
	for _, id := range []string{"0", "9223372036854775807", "ann", "_x", "é", "42"} {
		if !AppendID(&ids, []byte(id)) || ids.Text(ids.Len()-1) != id {
			t.Errorf("%q is refused or changed", id)
		}
	}
	for _, id := range []string{"", "-1", "+1", "007", "1.5", ".5", "9223372036854775808", "1a", "\xff", "a\xff", `"a"`} {
		if AppendID(&ids, []byte(id)) {
			t.Errorf("%q is accepted", id)
		}
	}
}
