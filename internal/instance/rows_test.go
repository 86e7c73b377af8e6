package instance

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/host"
)

// TestRows_UnknownVertex: a table that names a vertex which the graph does not have is given out nowhere, not even its
// rows before; nor is one that is in a list.
func TestRows_UnknownVertex(t *testing.T) {
	result := run(t, loaded(t, "1 2\n2 3\n"), host.Request{Algorithm: "degree"})
	for _, names := range [][]int64{{1, 2, 3}, {1, 4, 3}, {1, 2, -1}, {1, algorithms.Unreached, 3}} {
		wrong := names[1] == 4 || names[2] == -1
		for _, each := range []int{0, 3} {
			rows := len(names) / max(1, each)
			result.Result = &host.Result{Report: result.Report, Shape: algorithms.OfRows, Columns: []algorithms.Values{
				{Column: algorithms.Column{Name: "row", Type: algorithms.Int, Rows: rows}, Ints: make([]int64, rows)},
				{Column: algorithms.Column{Name: "v", Type: algorithms.VertexID, Rows: rows, Each: each}, Ints: names}}}
			result.names = nil // of the columns before
			given := 0
			_, top := result.Top(t.Context(), 1)
			for how, err := range map[string]error{"the first": top,
				"a file": result.WriteFile(t.Context(), filepath.Join(t.TempDir(), "rows.csv")),
				"a statement": computed{result}.Rows(t.Context(), func([]value.Value) error {
					given++
					return nil
				})} {
				var unknown *UnknownVertexError
				if errors.As(err, &unknown) != wrong || err != nil && !wrong {
					t.Errorf("vertices %v, %d in a row, to %s: %v; wrong is %v", names, each, how, err, wrong)
				}
			}
			if wrong && given > 0 || !wrong && given != rows {
				t.Errorf("vertices %v: %d rows were given out", names, given)
			}
		}
	}
}
