package measure

import "testing"

// TestStopped: who was stopped has only a lower bound, and beside it there is no ratio.
func TestStopped(t *testing.T) {
	late, quick := Timing{Seconds: []float64{30}, Stopped: true}, Timing{Seconds: []float64{10}}
	for got, want := range map[string]string{late.Milliseconds(): "stopped after 30000", late.Over(quick): "> 3.00",
		quick.Over(late): "–"} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if all := (Timings{late}).Add(Sample{Seconds: 5}); !all[0].Stopped {
		t.Error("a stopped round is forgotten")
	}
}
