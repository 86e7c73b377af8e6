package host

import (
	"context"
	"fmt"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// Of a graph whose edges are spread evenly, nine strips of rows are nine cells or few more: what has to fit the device
// is a cell, not a strip.
func TestRun_GridOfCells(t *testing.T) {
	t.Parallel()
	snap := random(testseed.Rand(t), 1000, 15_000, false, false, false).stored(t, 2<<10)
	req := Request{Algorithm: "sssp", Params: map[string]string{"source": vertexOf(t, snap)}}
	all, err := Estimate(context.Background(), snap, req)
	if err != nil {
		t.Fatal(err)
	}
	req.Schedule, req.DeviceMemory = "neugraph", all.Minimum+(all.Resident-all.Minimum)/9
	needs, err := Estimate(context.Background(), snap, req)
	if err != nil {
		t.Fatal(err)
	}
	report, divided := mustRun(t, snap, req).Report, 0
	for _, it := range report.PerIteration {
		divided += it.Divided
		var rows, cols int
		if _, err := fmt.Sscanf(it.Rule, "grid of %d×%d", &rows, &cols); err != nil || max(rows, cols) > 4 {
			t.Errorf("iteration %d: %s (%v)", it.Number, it.Rule, err)
		}
	}
	if divided == 0 || divided > needs.Chunks {
		t.Errorf("%d chunks are divided by columns %d times in %d iterations; once each is enough", needs.Chunks, divided,
			report.Iterations)
	}
}
