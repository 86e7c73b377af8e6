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
		"7 chunks were read past the system's cache, 0 through it\n" +
			"4 of these reads were of packed copies: 2 copies take 400 B for 1000 B\n": {
			Chunks: 7, Copies: &host.CopiesReport{Copies: 2, Reads: 4, Bytes: 400, ChunkBytes: 1000}},
		"7 chunks were read past the system's cache, 0 through it\n" +
			"4 of these reads were of packed copies: 2 copies take 400 B for 1000 B; 3 more had no room to unpack one; " +
			"1 copies were lost; no more were made: c\n": {
			Chunks: 7, Copies: &host.CopiesReport{Copies: 2, Reads: 4, Bytes: 400, ChunkBytes: 1000, Cramped: 3, Lost: 1,
				Why: "c"}},
	} {
		var got strings.Builder
		if printUncached(&got, u); got.String() != want {
			t.Errorf("%q; expected %q", got.String(), want)
		}
	}
}
