package algorithm

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
)

// withRoom is a graph whose result is a table of so many rows, with what something else has left there.
func withRoom(rows int) (*Graph, []algorithms.Values) {
	var columns []algorithms.Values
	for _, c := range []algorithms.Column{{Name: "v", Type: algorithms.VertexID}, {Name: "x", Type: algorithms.Float, Each: 2},
		{Name: "b", Type: algorithms.Bool}} {
		c.Rows = rows
		columns = append(columns, algorithms.NewValues(c, 0))
	}
	for i := range rows {
		columns[0].Ints[i], columns[1].Floats[2*i], columns[2].Bools[i] = 77, 7, true
	}
	return &Graph{table: &table{algorithm: "some", columns: columns}}, columns
}

// TestNewRow: a row is empty, whatever was there, and a table ends behind the last, unless it is full.
func TestNewRow(t *testing.T) {
	for _, room := range []int{3, 2} {
		g, columns := withRoom(room)
		for want := range 2 {
			row, err := g.NewRow()
			if err != nil || row != want || columns[0].Ints[row] != 0 || !math.IsNaN(columns[1].Floats[2*row]) ||
				columns[2].Bools[row] {
				t.Errorf("row %d of %+v, %v; expected an empty row %d", row, columns, err, want)
			}
			columns[0].Ints[row] = int64(9 - row)
			columns[1].Floats[2*row] = float64(row)
		}
		if err := g.table.end(); err != nil || algorithms.Filled(columns[0].Ints) != 2 {
			t.Errorf("with room for %d rows it ends as %v, %v; expected 2", room, columns[0].Ints, err)
		}
		g.SortRows()
		if !slices.Equal(columns[0].Ints[:2], []int64{8, 9}) || columns[1].Floats[0] != 1 || columns[1].Floats[2] != 0 {
			t.Errorf("sorted: %+v", columns)
		}
	}
}

// TestNewRow_Fails: of a table that is full, of a row without a first value, and where there is no table, the run
// fails, also where an algorithm does not look at errors.
func TestNewRow_Fails(t *testing.T) {
	full, _ := withRoom(1)
	for range 2 {
		_, _ = full.NewRow()
	}
	full.SortRows()
	gap, columns := withRoom(7)
	for range 3 {
		_, _ = gap.NewRow()
	}
	columns[0].Ints[1] = algorithms.Unreached
	none := &Graph{table: &table{algorithm: "some"}}
	_, lacks := none.NewRow()
	for says, err := range map[string]error{"more than 1 rows": full.table.end(), "row 1 of 3": gap.table.end(),
		"no Rows": lacks} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v; expected that it has %s", err, says)
		}
	}
	if err := none.table.end(); err != nil {
		t.Errorf("without a table: %v", err)
	}
}
