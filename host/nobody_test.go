package host

import (
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
)

// Where no vertex has a value to send from the start, one iteration finds that out, in whatever order lists come, as in
// memory.
func TestRun_NobodySendsFirst(t *testing.T) {
	t.Parallel()
	rng := testseed.Rand(t)
	g, _ := ladder(rng, 8000, 0, func() float64 { return float64(1+rng.IntN(64)) / 64 })
	snap := g.stored(t, 16<<10)
	for kernel, of := range map[string]struct{ reduce, identity string }{
		nearestFirst: {"min", "inf"}, "topological order; else push f64 max, fused: message + edge": {"max", "-inf"},
	} {
		req := Request{Custom: &algorithms.Custom{Process: "src.x + edge.weight", Reduce: of.reduce,
			Init: "id < 0 ? 0.0 : " + of.identity}}
		want := mustRun(t, snap, req)
		within, _ := besideSorted(t, snap, req, 0.5)
		got := mustRun(t, snap, within)
		if r := got.Report; r.Kernel != kernel || r.Iterations != 1 || r.EdgesProcessed > 0 ||
			!same(got.Columns, want.Columns) {
			t.Errorf("%d iterations and %d edges by %s, because %s; or another result", r.Iterations, r.EdgesProcessed, r.Kernel, r.Why)
		}
	}
}
