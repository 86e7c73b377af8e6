package stats

import (
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

func TestDistribution(t *testing.T) {
	rng := testseed.Rand(t)
	for range 100 {
		degrees := make([]uint32, 1+rng.IntN(50))
		for i := range degrees {
			degrees[i] = uint32(rng.IntN(1 + rng.IntN(30)))
		}
		d := newDistribution("degree", degrees)
		slices.Sort(degrees)
		if d.Median != degrees[len(degrees)/2] || d.Largest() != degrees[len(degrees)-1] {
			t.Fatalf("%v: %+v", degrees, d)
		}
		for degree := range uint64(32) {
			want := uint64(0)
			for _, is := range degrees {
				if uint64(is) >= degree {
					want++
				}
			}
			if got := d.AtLeast(degree); got != want {
				t.Fatalf("of %v, %d have %d or more, not %d", degrees, want, degree, got)
			}
		}
	}
}
