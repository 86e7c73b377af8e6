package network

import (
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/internal/testseed"
)

// Every edge of some rows of a cell has a column, which is of its source, and there are no more columns than a row
// needs at most of each source: one, or with properties one for each of parallel edges.
func TestColumns(t *testing.T) {
	r := testseed.Rand(t)
	var c columns
	for range 300 {
		rows, sources, properties := 1+r.IntN(12), 1+r.IntN(12), r.IntN(2)
		cell := grid.Cell{Offsets: []uint32{0}, Sources: make([]uint32, sources), Properties: make([][]float64, properties)}
		for range rows {
			list := make([]uint32, r.IntN(20))
			for i := range list {
				list[i] = uint32(r.IntN(sources))
			}
			slices.Sort(list)
			cell.Others = append(cell.Others, list...)
			cell.Offsets = append(cell.Offsets, uint32(len(cell.Others)))
		}
		from := r.IntN(rows)
		to := from + 1 + r.IntN(rows-from)
		if err := c.find(&cell, from, to); err != nil {
			t.Fatal(err)
		}
		used := map[uint32]bool{}
		for row := from; row < to; row++ {
			taken := map[uint32]bool{}
			for e := c.next[row-from]; e.at < cell.Offsets[row+1]; e = c.after(&cell, row, e) {
				u := cell.Others[e.at]
				column := c.first[u] + e.again
				if c.source[column] != u || properties > 0 && taken[column] {
					t.Fatalf("edge %d of row %d, from %d, has column %d, which is of %d", e.at, row, u, column, c.source[column])
				}
				taken[column], used[column] = true, true
			}
		}
		if len(used) != len(c.source) {
			t.Errorf("%d columns, of which %d have an edge", len(c.source), len(used))
		}
	}
	cell := grid.Cell{Offsets: []uint32{0, 2}, Others: []uint32{1, 0}, Sources: []uint32{3, 4}}
	if err := c.find(&cell, 0, 1); err == nil {
		t.Error("edges that do not ascend are taken")
	}
}
