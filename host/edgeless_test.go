package host

import (
	"encoding/json"
	"testing"

	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
)

// A graph without edges is computed on however it is sent, and what is told of that are numbers.
func TestRun_WithoutEdges(t *testing.T) {
	t.Parallel()
	rng := testseed.Rand(t)
	snap := random(rng, 200, 0, true, false, false).stored(t, 1<<10)
	for _, name := range []string{"wcc", "pagerank"} {
		want := mustRun(t, snap, Request{Algorithm: name})
		for _, req := range long.Raced(t, []Request{{Device: "cpu,cpu"}, {Schedule: "whole"}, {Schedule: "neugraph"},
			{Schedule: "subway", Device: "cpu,cpu,cpu"}}, 2) {
			req.Algorithm = name
			got := mustRun(t, snap, req)
			if !same(got.Columns, want.Columns) {
				t.Errorf("%+v: another result", req)
			}
			if _, err := json.Marshal(got.Report); err != nil {
				t.Errorf("%+v: %v", req, err)
			}
			for _, it := range got.Report.PerIteration {
				if !(it.Predicted >= 0) || it.Predicted > 60 {
					t.Errorf("%+v: %g s are predicted of iteration %d", req, it.Predicted, it.Number)
				}
			}
		}
	}
}
