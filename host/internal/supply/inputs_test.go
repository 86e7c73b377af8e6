package supply

import (
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// Rows that are given are filled, others are left as they are, and too few numbers are refused.
func TestFillRows(t *testing.T) {
	memory, err := arena.Create(256)
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	rows := func(name string, given bool, at uint64) plugins.VertexRows {
		return plugins.VertexRows{Rows: algorithms.Rows{Name: name, Width: 1, Given: given},
			Range: arena.Range{Offset: at, Length: 12}}
	}
	layout := plugins.Layout{Rows: []plugins.VertexRows{rows("labels", true, 0), rows("weights", false, 64)}}
	given := map[string][]float32{"labels": {1, -1, 2}, "weights": {7, 7, 7}}
	if err := FillRows(memory, layout, given, nil); err != nil {
		t.Fatal(err)
	}
	labels, _ := memory.Float32s(layout.Rows[0].Range)
	weights, _ := memory.Float32s(layout.Rows[1].Range)
	if !slices.Equal(labels, given["labels"]) || !slices.Equal(weights, []float32{0, 0, 0}) {
		t.Errorf("labels %v, weights %v", labels, weights)
	}
	given["labels"] = given["labels"][:2]
	if err := FillRows(memory, layout, given, nil); plugins.KindOf(err) != plugins.KindInvalid {
		t.Errorf("two numbers for three vertices: %v", err)
	}
}
