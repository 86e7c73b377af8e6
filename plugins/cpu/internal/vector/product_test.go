package vector

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

func normal(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

// edges of tiles, and what lies around them.
func size(r *rand.Rand) int {
	return []int{0, 1, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 130, 1 + r.IntN(300)}[r.IntN(18)]
}

// Products at all levels are those of float64, of any shape; AVX2 and AVX-512 agree to the bit, and rows have the same
// bits wherever they are cut.
func TestProduct(t *testing.T) {
	r := testseed.Rand(t)
	for range 60 {
		rows, k, n := size(r), max(1, size(r)), max(1, size(r))
		if rows == 300 && k == 300 {
			k = 700
		}
		x, p, y := normal(r, rows*k), normal(r, k*n), normal(r, rows*n)
		transposed := r.IntN(2) == 0
		at := func(i, j int) float64 {
			if transposed {
				return float64(p[j*k+i])
			}
			return float64(p[i*n+j])
		}
		before := normal(r, k*n)
		want, size := make([]float64, rows*n), make([]float64, rows*n)
		outer, outerSize := make([]float64, k*n), make([]float64, k*n)
		for i := range outer {
			outer[i], outerSize[i] = float64(before[i]), math.Abs(float64(before[i]))
		}
		for i := range rows {
			for l := range k {
				a := float64(x[i*k+l])
				for j := range n {
					want[i*n+j] += a * at(l, j)
					size[i*n+j] += math.Abs(a * at(l, j))
					outer[l*n+j] += a * float64(y[i*n+j])
					outerSize[l*n+j] += math.Abs(a * float64(y[i*n+j]))
				}
			}
		}
		var products, outers [3][]float32
		for _, l := range Levels() {
			At(l, func() {
				packed := Panels[float32]{k, n, make([]float32, k*n)}
				packed.Pack(p, transposed)
				guard := normal(r, rows*n+32)
				got := append([]float32{}, guard...)
				cut := r.IntN(rows + 1)
				packed.Multiply(got, x, cut)
				packed.Multiply(got[cut*n:], x[cut*k:], rows-cut)
				near(t, fmt.Sprintf("%v: [%d × %d] times [%d × %d]", l, rows, k, k, n), got[:rows*n], want, size, k)
				for i, a := range got[rows*n:] {
					if a != guard[rows*n+i] {
						t.Fatalf("%v: a product writes behind its end", l)
					}
				}
				sum := append([]float32{}, before...)
				AddOuter(sum, x, y, cut, k, n)
				AddOuter(sum, x[cut*k:], y[cut*n:], rows-cut, k, n)
				near(t, fmt.Sprintf("%v: sum of %d, [%d × %d]", l, rows, k, n), sum, outer, outerSize, rows)
				products[l], outers[l] = got[:rows*n], sum
			})
		}
		if detected == AVX512 {
			same(t, products[AVX2], products[AVX512])
			same(t, outers[AVX2], outers[AVX512])
		}
	}
}

// near compares sums of n numbers with those that are exact; size is the sum of what is added, without signs.
func near(t *testing.T, what string, got []float32, want, size []float64, n int) {
	t.Helper()
	for i, x := range want {
		if !(math.Abs(float64(got[i])-x) <= 6e-8*float64(n+2)*size[i]+1e-30) {
			t.Fatalf("%s: number %d is %v, not %v", what, i, got[i], x)
		}
	}
}

func same(t *testing.T, a, b []float32) {
	t.Helper()
	for i := range a {
		if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
			t.Fatalf("number %d is %v with AVX2, %v with AVX-512", i, a[i], b[i])
		}
	}
}
