package kit_test

import (
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/kit"
)

func TestConverged(t *testing.T) {
	plain := &algorithms.Program{MaxIterations: 5}
	near := &algorithms.Program{MaxIterations: 5, Norm: algorithms.L1, Tolerance: 0.5}
	exact := &algorithms.Program{MaxIterations: 5, Exactly: true}
	for _, c := range []struct {
		name         string
		program      *algorithms.Program
		n, iteration int
		active       uint64
		change       float64
		want         bool
	}{
		{"no vertices", plain, 0, 0, 0, 0, true},
		{"no vertex is active, before the first iteration", plain, 3, 0, 0, 0, false},
		{"no vertex is active", plain, 3, 1, 0, 9, true},
		{"a vertex is active", plain, 3, 1, 1, 0, false},
		{"a vertex is active, the change is at the tolerance", near, 3, 1, 1, 0.5, true},
		{"a vertex is active, the change is above the tolerance", near, 3, 1, 1, 0.6, false},
		{"no vertex is active, but all iterations are wanted", exact, 3, 1, 0, 0, false},
		{"all iterations are done", exact, 3, 5, 3, 9, true},
	} {
		if got := kit.Converged(c.program, c.n, c.iteration, c.active, c.change); got != c.want {
			t.Errorf("%s: converged is %v", c.name, got)
		}
	}
}
