package gaining

import (
	"math"
	"strings"
	"testing"
)

// A search takes at most half of the memory that is free, and is for vertices that its numbers have room for.
func TestTooMany(t *testing.T) {
	for _, c := range []struct {
		vertices, free uint64
		says           string
	}{
		{1000, 2000 * most, ""},
		{1001, 2000 * most, "takes 36036 bytes of the host's memory, of which 72000 are free"},
		{math.MaxInt32/2 - 1, math.MaxUint64, ""},
		{math.MaxInt32 / 2, math.MaxUint64, "among fewer than 1073741823 vertices"},
	} {
		if got := tooMany(c.vertices, c.free); !strings.Contains(got, c.says) || (got == "") != (c.says == "") {
			t.Errorf("%d vertices, %d bytes: %q, not %q", c.vertices, c.free, got, c.says)
		}
	}
}
