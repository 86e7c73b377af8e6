package solvers

import "testing"

// A sample is worth it where lists are long, and not on a road map or in a small graph.
func TestSampleSaves(t *testing.T) {
	for _, c := range []struct {
		n       int
		entries uint64
		want    bool
	}{
		{SmallGraph, 100 * SmallGraph, false}, {SmallGraph + 1, 100 * SmallGraph, true},
		{264_346, 2 * 365_050, false}, // a road map
		{62_586, 2 * 147_892, true},
		{100_000, 0, false}, {100_000, 100_000, false}, {100_000, 5_000_000, true},
	} {
		if got := SampleSaves(c.n, c.entries); got != c.want {
			t.Errorf("%d vertices, %d entries: %t", c.n, c.entries, got)
		}
	}
}
