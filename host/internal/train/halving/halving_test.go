package halving

import (
	"testing"
	"time"
)

// Each device is tried, in turn, and then the quicker is chosen.
func TestChoice(t *testing.T) {
	for _, quicker := range []int{edges, rows} {
		var c choice
		var chosen []int
		for range 2*trials + 2 {
			d := c.device()
			chosen = append(chosen, d)
			took := 2 * time.Millisecond
			if d == quicker {
				took = time.Millisecond
			}
			c.took(d, took)
		}
		if chosen[0] != rows || chosen[1] != edges {
			t.Errorf("it tries %v", chosen)
		}
		if last := chosen[2*trials:]; last[0] != quicker || last[1] != quicker {
			t.Errorf("%d is quicker; it chooses %v", quicker, chosen)
		}
	}
}

// Overlap counts each moment once in which both are at work.
func TestOverlap(t *testing.T) {
	at := func(list ...int) (spans []span) {
		for i := 0; i < len(list); i += 2 {
			spans = append(spans, span{time.Unix(int64(list[i]), 0), time.Unix(int64(list[i+1]), 0)})
		}
		return spans
	}
	if got := overlap(at(0, 3, 5, 9), at(1, 2, 2, 6, 8, 10)); got != 4*time.Second {
		t.Errorf("%v; expected 4s", got)
	}
	if got := overlap(at(0, 1), at(1, 2)); got != 0 {
		t.Errorf("%v of spans that follow each other", got)
	}
}
