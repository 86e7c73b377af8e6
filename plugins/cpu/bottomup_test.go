package cpu_test

import (
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
)

// A whole run, which may go bottom up, gives what a streamed one gives, in as many
// iterations, and looks at fewer edges.
func TestBottomUp_SameDepthsFewerEdges(t *testing.T) {
	g := hubGraph(false)
	a, err := catalog.Lookup("bfs")
	if err != nil {
		t.Fatal(err)
	}
	p, err := a.Program(algorithms.Args{Ints: map[string]int64{"source": 17}})
	if err != nil {
		t.Fatal(err)
	}
	whole, streamed := newRig(t, g, 1<<24), newRig(t, g, 1<<24)
	depths, iterations := whole.result(p, false)
	want, wantIterations := streamed.result(p, true)
	if iterations != wantIterations || !slices.Equal(depths[0].Ints, want[0].Ints) {
		t.Errorf("bottom up: %d iterations; pushed: %d; or the depths differ", iterations, wantIterations)
	}
	if looked, pushed := whole.edges(), streamed.edges(); looked >= pushed/2 {
		t.Errorf("bottom up looks at %d edges, pushing at %d", looked, pushed)
	}
}

// edges is how many the commands so far have processed.
func (r *rig) edges() (sum uint64) {
	for _, e := range r.events {
		if e.Done {
			sum += e.Edges
		}
	}
	return sum
}
