package bitmap_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/plugins/kit/bitmap"
)

// A bitmap has the members that were put in it, ascending, and as many as there are.
func TestMembers(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range 100 {
		n := random.IntN(1000)
		words := make([]uint64, bitmap.Words(n))
		var want []int
		for v := range n {
			if random.IntN(3) == 0 {
				words[v/64] |= 1 << (v % 64)
				want = append(want, v)
			}
		}
		if got := slices.Collect(bitmap.Members(words)); !slices.Equal(got, want) {
			t.Fatalf("members of %d bits: got %v, want %v", n, got, want)
		}
		if got := bitmap.Count(words); got != uint64(len(want)) {
			t.Fatalf("count of %d bits: got %d, want %d", n, got, len(want))
		}
	}
}
