package vector

import (
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// Sums are those of a loop over rows, to the bit, and no other number is written.
func TestAddShares(t *testing.T) {
	r := testseed.Rand(t)
	for range 200 {
		n, count, width, share := r.IntN(40), 1+r.IntN(9), 1+r.IntN(140), r.NormFloat64()
		x, rows, before := make([]float64, count*width), make([]uint32, n), make([]float64, width+1)
		var weights []float64
		for i := range x {
			x[i] = r.NormFloat64()
		}
		for i := range rows {
			rows[i] = uint32(r.IntN(count))
		}
		if r.IntN(2) == 0 {
			weights = make([]float64, n)
			for i := range weights {
				weights[i] = r.NormFloat64()
			}
		}
		for k := range before {
			before[k] = r.NormFloat64()
		}
		want := slices.Clone(before)
		for i, row := range rows {
			by := share
			if weights != nil {
				by *= weights[i]
			}
			for k := range width {
				want[k] += by * x[int(row)*width+k]
			}
		}
		for _, l := range Levels() {
			At(l, func() {
				got := slices.Clone(before)
				if AddShares(got[:width], x, rows, share, weights); !slices.Equal(got, want) {
					t.Fatalf("%v: %d rows of %d: %v; expected %v", l, n, width, got, want)
				}
			})
		}
	}
}
