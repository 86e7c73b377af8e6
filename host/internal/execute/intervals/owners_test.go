package intervals

import (
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// Each column has one owner, each owner one column at least if there are enough, and nobody more than an equal share
// and a column.
func TestDivide(t *testing.T) {
	rng := testseed.Rand(t)
	for range 2000 {
		weights, owners, all := make([]uint64, 1+rng.IntN(30)), 1+rng.IntN(5), uint64(0)
		for j := range weights {
			weights[j] = rng.Uint64N(1 + rng.Uint64N(1000))
			all += weights[j]
		}
		most, first := slices.Max(weights)+all/uint64(owners), 0
		ends := divide(weights, owners)
		for _, end := range ends {
			sum := uint64(0)
			for _, w := range weights[first:end] {
				sum += w
			}
			if sum > most+1 || end == first && len(weights) >= owners {
				t.Fatalf("%d among %d owners: %d, of which one has %d from %d to %d", weights, owners, ends, sum, first, end)
			}
			first = end
		}
		if len(ends) != owners || first != len(weights) {
			t.Fatalf("%d among %d owners: %d", weights, owners, ends)
		}
	}
}
