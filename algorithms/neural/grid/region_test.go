package grid

import (
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
)

// What is placed in a region of as many bytes as is said fits, and in a byte less it does not.
func TestRegion_Sizes(t *testing.T) {
	b := dataflow.NewBuilder(false)
	x, y := b.Input("x", 3), b.Input("y", 5)
	stage := &Stage{Stage: &dataflow.Stage{Stored: []*dataflow.Value{y}}, Near: []*dataflow.Value{x, y}}
	sparse := map[*dataflow.Value]bool{y: true}
	entries := func(*dataflow.Value) int64 { return 11 }
	region := make([]byte, stage.RowsBytes(7, sparse, entries))
	rows, err := stage.PlaceRows(region, 7, sparse, entries)
	if err != nil || len(rows[x].Numbers) != 21 || rows[x].Offsets != nil {
		t.Fatalf("%v, %+v", err, rows)
	}
	if _, err := stage.PlaceRows(region[:len(region)-Align], 7, sparse, entries); err == nil {
		t.Error("rows fit into less than they take")
	}
	size := Size{Vertices: 4, Sources: 3, Edges: 9, Properties: 2}
	far := []*dataflow.Value{x, y}
	region = make([]byte, size.Bytes(far))
	cell, err := PlaceCell(region, size, far)
	if err != nil || len(cell.Far[1]) != 15 || len(cell.Properties[1]) != 9 {
		t.Fatalf("%v, %+v", err, cell)
	}
	if _, err := PlaceCell(region[:len(region)-Align], size, far); err == nil {
		t.Error("a cell fits into less than it takes")
	}
	for _, size := range []Size{{Vertices: -2}, {Edges: -1}, {Sources: 1 << 62}} {
		if _, err := PlaceCell(region, size, far); err == nil {
			t.Errorf("%+v fits", size)
		}
	}
}

// Cells whose numbers do not fit together are refused.
func TestCell_Check(t *testing.T) {
	for name, c := range map[string]struct {
		cell Cell
		fits bool
	}{
		"two edges":      {Cell{Offsets: []uint32{0, 0, 2}, Others: []uint32{1, 0}, Sources: []uint32{3, 9}}, true},
		"none":           {Cell{Offsets: []uint32{0}}, true},
		"backward":       {Cell{Offsets: []uint32{0, 2, 1}, Others: []uint32{0}, Sources: []uint32{3}}, false},
		"fewer edges":    {Cell{Offsets: []uint32{0, 2}, Others: []uint32{0}, Sources: []uint32{3}}, false},
		"from 1 on":      {Cell{Offsets: []uint32{1, 1}, Others: []uint32{0}, Sources: []uint32{3}}, false},
		"no such source": {Cell{Offsets: []uint32{0, 1}, Others: []uint32{1}, Sources: []uint32{3}}, false},
		"no such vertex": {Cell{Offsets: []uint32{0, 1}, Others: []uint32{0}, Sources: []uint32{10}}, false},
	} {
		if err := c.cell.Check(10); (err == nil) != c.fits {
			t.Errorf("%s: %v", name, err)
		}
	}
}
