package compute

import (
	"strings"
	"testing"

	"github.com/penstock-db/penstock/host"
)

// Whatever was read in another way than was meant is told, with the reason.
func TestPrintUncached(t *testing.T) {
	for want, u := range map[string]*host.UncachedReport{
		"": nil,
		"7 chunks were read past the system's cache, 0 through it\n": {Chunks: 7},
		"7 chunks were read past the system's cache, 2 through it: a; 3 whole, though some pages would have done: b\n": {
			Chunks: 7, Cached: 2, Why: "a", Whole: 3, WhyWhole: "b"},
	} {
		var got strings.Builder
		if printUncached(&got, u); got.String() != want {
			t.Errorf("%q; expected %q", got.String(), want)
		}
	}
}
