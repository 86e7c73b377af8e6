package instance

import (
	"errors"
	"math"
	"path/filepath"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/host"
)

// A column of vertices that names one which the graph does not have is given out nowhere, and written nowhere.
func TestVertices_Unknown(t *testing.T) {
	for _, edges := range []string{"1 2\n2 3\n", "1 2\n2 9000000000\n", "a b\nb c\n"} {
		db := loaded(t, edges)
		good := run(t, db, host.Request{Algorithm: "scc"})
		least := good.Columns[0].Ints[0]
		for _, id := range []int64{least, algorithms.Unreached, 77, -1, math.MaxInt64, 9000000001} {
			result := run(t, db, host.Request{Algorithm: "scc"})
			result.Columns[0].Ints[2] = id
			_, top := result.Top(t.Context(), 1)
			_, cell := computed{result}.Value(t.Context(), result.Columns[0], 0)
			_, written := result.Write(t.Context(), "component")
			for how, err := range map[string]error{"the first": top, "a statement": cell, "a property": written,
				"a file": result.WriteFile(t.Context(), filepath.Join(t.TempDir(), "rows.csv"))} {
				var unknown *UnknownVertexError
				wrong := id != least && id != algorithms.Unreached
				if errors.As(err, &unknown) != wrong || err != nil && !wrong {
					t.Errorf("edges %q, vertex %d, to %s: %v; wrong is %v", edges, id, how, err, wrong)
				}
			}
		}
	}
}
