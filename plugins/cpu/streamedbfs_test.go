package cpu_test

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
)

// A search takes chunks one by one only where no graph could make it give up.
func TestBFS_KnowsWhenItIsCertain(t *testing.T) {
	g := randomGraph(rand.New(rand.NewPCG(6, 6)), 50, 100, false)
	for _, c := range []struct {
		kind          algorithms.Type
		reduce        algorithms.Reduce
		init, process string
		certain       bool
	}{
		{algorithms.Int, algorithms.Min, "id == 1 ? 0 : unreached", "src.x + 1", true},
		{algorithms.Int, algorithms.Min, "id == 1 ? unreached : 7", "1 + src.x", true},
		{algorithms.Float, algorithms.Max, "id == 1 ? 3.5 : -inf", "src.x + -(0.5)", true},
		{algorithms.Bool, algorithms.Or, "id % 3 == 1", "src.x", true},
		{algorithms.Int, algorithms.Min, "id == 1 ? 0 : id == 2 ? 1 : unreached", "src.x + 1", false},
		{algorithms.Int, algorithms.Min, "id == 1 ? 0 : 1", "src.x + 1", false},
		{algorithms.Int, algorithms.Min, "id", "src.x + 1", false},
		{algorithms.Int, algorithms.Min, "id == 1 ? 0 : unreached", "src.x + -1", false},
		{algorithms.Int, algorithms.Min, "id == 1 ? 0 : unreached", "src.x + 2000000", false},
		{algorithms.Int, algorithms.Min, "id == 1 ? 9223372036854775000 : unreached", "src.x + 100", false},
		{algorithms.Int, algorithms.Max, "id == 1 ? 0 : -9223372036854775808", "src.x + 1", false},
		{algorithms.Float, algorithms.Min, "id == 1 ? 0.0 : inf", "src.x + (inf - inf)", false},
		{algorithms.Float, algorithms.Min, "id == 1 ? 0.0 : inf", "src.x * 2.0", false},
	} {
		p := &algorithms.Program{Process: algorithms.Expr{Source: c.process}, Reduce: c.reduce, Order: algorithms.Monotone,
			State: []algorithms.State{{Name: "x", Type: c.kind, Init: algorithms.Expr{Source: c.init}}}}
		r := newRig(t, g, 1<<20)
		if err := r.program(p); err != nil {
			t.Fatal(c, err)
		}
		if certain := r.plan.Kernel == "breadth-first search"; certain != c.certain {
			t.Errorf("%+v: the kernel is %q", c, r.plan.Kernel)
		}
	}
}
