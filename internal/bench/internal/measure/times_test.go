package measure

import (
	"context"
	"testing"
	"time"
)

// TestRounds: by turns, and no further round when the time is over.
func TestRounds(t *testing.T) {
	var turns string
	contend := func(way string) Contender {
		return func(context.Context) ([]Sample, error) {
			turns += way
			return []Sample{{Way: way, Seconds: 1}}, nil
		}
	}
	found, err := Rounds(t.Context(), []Contender{contend("a"), contend("b")}, 3, time.Hour)
	if err != nil || turns != "ababab" || len(found.Of("a").Seconds) != 3 || found.Of("c").Measured() {
		t.Error(turns, found, err)
	}
	turns = ""
	if _, err := Rounds(t.Context(), []Contender{contend("a")}, 3, 0); err != nil || turns != "a" {
		t.Errorf("%q, %v: one round when the time is over", turns, err)
	}
}
