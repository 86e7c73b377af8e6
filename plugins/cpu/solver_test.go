package cpu_test

import (
	"runtime"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// What a solver takes for itself is in the plan, and so was charged before.
func TestSolvers_ChargeWhatTheyAllocate(t *testing.T) {
	const n, small = 200_000, 256 << 10 // compiled expressions and the like
	g := algorithms.NewGraph(false, make([]int64, n), nil)
	for name, p := range map[string]*algorithms.Program{
		"breadth-first search": searches()["levels from one"], "components": labels()["least id"],
		"delta-stepping": sums()["from one"],
	} {
		if err := algorithms.Check(p, []string{"weight", "share"}); err != nil {
			t.Fatal(err)
		}
		r := newRig(t, g, 32*n)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := r.compile(plugins.Task{Program: p}, algorithms.VertexColumns(p)); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		planned := r.plan.Fixed - r.layout.Active.Length
		for _, c := range r.layout.Columns {
			planned -= c.Range.Length
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > planned+small {
			t.Errorf("%s: %d bytes allocated; expected at most the %d planned", name, took, planned)
		}
	}
}
