package vector

import (
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// Sums are those of a loop, to the bit, and no other number is written.
func TestAddTo(t *testing.T) {
	r := testseed.Rand(t)
	for range 100 {
		n, rows, width := r.IntN(50), 1+r.IntN(5), 1+r.IntN(40)
		from := r.IntN(width + 1)
		to := from + r.IntN(width-from+1)
		x, own, before := normal(r, n*width), make([]int64, n), make([]float64, rows*width)
		for v := range own {
			own[v] = int64(r.IntN(rows))
		}
		for i := range before {
			before[i] = r.NormFloat64()
		}
		want := slices.Clone(before)
		for v, row := range own {
			for k := from; k < to; k++ {
				want[int(row)*width+k] += float64(x[v*width+k])
			}
		}
		for _, l := range Levels() {
			At(l, func() {
				got := slices.Clone(before)
				if AddTo(got, x, own, from, to, width); !slices.Equal(got, want) {
					t.Fatalf("%v: %d rows of %d, numbers %d to %d: %v; expected %v", l, n, width, from, to, got, want)
				}
			})
		}
	}
}
