package bench

import "testing"

// TestStopped: who was stopped has only a lower bound, and beside it there is no ratio.
func TestStopped(t *testing.T) {
	late, quick := timing{Seconds: []float64{30}, Stopped: true}, timing{Seconds: []float64{10}}
	for got, want := range map[string]string{late.milliseconds(): "stopped after 30000", late.over(quick): "> 3.00", quick.over(late): "–"} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if all := (timings{late}).add(sample{seconds: 5}); !all[0].Stopped {
		t.Error("a stopped round is forgotten")
	}
}
