package bench

import (
	"context"
	"testing"
	"time"
)

// TestRounds: by turns, and no further round when the time is over.
func TestRounds(t *testing.T) {
	var turns string
	contend := func(way string) contender {
		return func(context.Context) ([]sample, error) {
			turns += way
			return []sample{{way: way, seconds: 1}}, nil
		}
	}
	found, err := rounds(t.Context(), []contender{contend("a"), contend("b")}, 3, time.Hour)
	if err != nil || turns != "ababab" || len(found.of("a").Seconds) != 3 || found.of("c").measured() {
		t.Error(turns, found, err)
	}
	turns = ""
	if _, err := rounds(t.Context(), []contender{contend("a")}, 3, 0); err != nil || turns != "a" {
		t.Errorf("%q, %v: one round when the time is over", turns, err)
	}
}
