package core

import (
	"math"
	"testing"
)

// What is expected is what a plain count of launches, runs, rounds and lanes comes to.
func TestSecondsCountsRunsAndLanes(t *testing.T) {
	w := Work{Vertices: 100, Edges: 1000, Linked: 50, Rounds: 3, Sources: 10}
	r := Rates{Launch: 1e6, Load: Costs{Fixed: 7, Edge: 2}, Again: Costs{Fixed: 1, Vertex: 2},
		Step: Costs{Fixed: 3, Vertex: 4}, Lane: Costs{Cell: 5}}
	load, again, step, lane := 7+2*1000.0, 1+2*100.0, 3+4*100.0, 5*50*50.0
	for _, c := range []struct {
		name  string
		lanes uint32
		want  float64
	}{
		{"one after another", 0, 1e6 + load + 9*again + 10*3*step},
		{"four together", 4, 1e6 + load + 2*again + 3*3*step + 7*3*lane},
		{"all together", 64, 1e6 + load + 3*step + 9*3*lane},
	} {
		r.Lanes = c.lanes
		if got := r.Seconds(w); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%s: %g seconds, not %g", c.name, got, c.want)
		}
	}
	w.Warm, w.Sources = true, 0
	if got := r.Seconds(w); math.Abs(got-again-3*step) > 1e-6 {
		t.Errorf("one source, warm: %g seconds, not %g", got, again+3*step)
	}
}
