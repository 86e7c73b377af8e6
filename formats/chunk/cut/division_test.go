package cut_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/formats/chunk/internal/chunktest"
)

// randomColumns cuts n columns into intervals that follow each other.
func randomColumns(r *rand.Rand, n int) (cols []chunk.Interval) {
	for base := 0; base < n; {
		count := 1 + r.IntN(n-base)
		cols = append(cols, chunk.Interval{Base: uint64(base), Count: uint64(count)})
		base += count
	}
	return cols
}

// Each cell is, to the byte, what Within cuts out of all lists, or out of those of active vertices, and is counted so.
func TestDivision_CellsAreWhatWithinCuts(t *testing.T) {
	chunktest.EachSeed(t, 300, func(t *testing.T, r *rand.Rand) {
		mem := chunktest.LeakChecked(t)
		g := randomWeighted(r).sorted()
		active, _ := randomSet(r, g.n)
		cols := randomColumns(r, g.n)
		for _, c := range g.strips(t, r, mem) {
			d := cut.Divide(c, cols)
			for q, interval := range cols {
				all, want := d.All(c, q), cut.All(c).Within(interval)
				if d.Cells[q] != (cut.Cell{Lists: want.Lists(), Edges: want.Edges()}) {
					t.Fatalf("cell %d of %v has %+v; Within cuts %d lists with %d edges", q, cols, d.Cells[q], want.Lists(),
						want.Edges())
				}
				same(t, r, all, want)
				same(t, r, d.Select(c, active, 0, chunk.Places{}, q), cut.Select(c, active, 0, chunk.Places{}).Within(interval))
				places := randomPlaces(r)
				same(t, r, d.Select(c, active, 0, places, q), cut.Select(c, active, 0, places).Within(interval))
			}
		}
	})
}

// same compares a selection with parts that make it.
func same(t *testing.T, r *rand.Rand, got cut.Selection, parts ...cut.Selection) {
	t.Helper()
	if !bytes.Equal(join(t, r, got), join(t, r, parts...)) {
		t.Fatalf("%d lists with %d edges; another chunk is expected", got.Lists(), got.Edges())
	}
}
