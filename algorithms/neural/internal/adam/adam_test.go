package adam

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// The kernel computes the bits of the plain loop, step after step, of any count of numbers that begin anywhere, also of
// those that are very small, very large or none, and it writes to nothing else.
func TestStep_SameBits(t *testing.T) {
	if !hasKernel {
		t.Skip("this processor has no kernel")
	}
	defer func() { hasKernel = true }()
	r := testseed.Rand(t)
	const beside = 9
	for n := range 70 {
		for offset := range 8 {
			slices := func() (all [3][]float32) { // numbers, and both means
				for i := range all {
					all[i] = make([]float32, offset+n+beside)
				}
				return all
			}
			one, other := slices(), slices()
			for i := range one[0] {
				one[0][i] = drawn(r)
				other[0][i] = one[0][i]
			}
			rate, decay := r.Float64(), float64(r.IntN(2))*r.Float64()
			for count := 1; count < 6; count++ {
				gradient := make([]float32, offset+n)
				for i := range gradient {
					gradient[i] = drawn(r)
				}
				for kernel, all := range map[bool][3][]float32{false: one, true: other} {
					hasKernel = kernel
					from, to := offset, offset+n
					means := Means[float32]{Gradient: all[1][from:to], Square: all[2][from:to]}
					Step(all[0][from:to], gradient[from:to], means, rate, decay, count)
				}
				for k := range one {
					same(t, fmt.Sprintf("%d numbers from %d on, step %d, of %d", n, offset, count, k), other[k], one[k])
				}
			}
		}
	}
}

// drawn is a number of any size, or none.
func drawn(r *rand.Rand) float32 {
	switch r.IntN(8) {
	case 0:
		return math.Float32frombits(r.Uint32()) // NaN and infinite ones among them
	case 1:
		return 0
	}
	return float32(r.NormFloat64())
}

func same(t *testing.T, of string, got, want []float32) {
	t.Helper()
	for i, x := range got {
		if x != x && want[i] != want[i] {
			continue // which NaN it is does not matter
		}
		if math.Float32bits(x) != math.Float32bits(want[i]) {
			t.Fatalf("%s: number %d is %v, not %v", of, i, x, want[i])
		}
	}
}

func BenchmarkStep(b *testing.B) {
	defer func(was bool) { hasKernel = was }(hasKernel)
	for _, hasKernel = range []bool{false, hasKernel} {
		b.Run(fmt.Sprintf("kernel %v", hasKernel), func(b *testing.B) {
			const n = 1433 * 64
			numbers, gradient := make([]float32, n), make([]float32, n)
			for i := range gradient {
				gradient[i] = float32(i%7) - 3
			}
			means := Means[float32]{Gradient: make([]float32, n), Square: make([]float32, n)}
			for i := range b.N {
				Step(numbers, gradient, means, 0.01, 5e-4, i+1)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/number")
		})
	}
}
