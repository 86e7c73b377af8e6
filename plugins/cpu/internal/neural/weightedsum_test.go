package neural

import (
	"math"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// The kernels of all processors compute what the plain loop does, for rows of any width, and touch nothing else.
func TestWeightedSum(t *testing.T) {
	r := testseed.Rand(t)
	for range 2000 {
		width, n, rows := 1+r.IntN(140), r.IntN(9), 1+r.IntN(9)
		stride, scaleStride := width+r.IntN(3), 1+r.IntN(3)
		p, out := make([]float32, rows*stride), make([]float32, width+16)
		scale, index := make([]float32, n*scaleStride), make([]uint32, n)
		for _, numbers := range [][]float32{p, out, scale} {
			for i := range numbers {
				numbers[i] = float32(r.NormFloat64())
			}
		}
		for i := range index {
			index[i] = uint32(r.IntN(rows))
		}
		if r.IntN(3) == 0 {
			scale = nil
		}
		if r.IntN(3) == 0 {
			index, n = nil, min(n, rows)
		}
		want := make([]float64, len(out))
		for j := range want {
			want[j] = float64(out[j])
			for k := 0; k < n && j < width; k++ {
				at, s := k, float32(1)
				if index != nil {
					at = int(index[k])
				}
				if scale != nil {
					s = scale[k*scaleStride]
				}
				want[j] += float64(s) * float64(p[at*stride+j])
			}
		}
		for name, kernel := range kernels() {
			was := vectorSum
			vectorSum = kernel
			got := append([]float32{}, out...)
			weightedSum(got[:width], p, index, scale, n, stride, scaleStride)
			vectorSum = was
			for j := range want {
				if math.Abs(float64(got[j])-want[j]) > 1e-5*(1+math.Abs(want[j])) || j >= width && got[j] != out[j] {
					t.Fatalf("%s, width %d, %d rows: number %d is %v, not %v", name, width, n, j, got[j], want[j])
				}
			}
		}
	}
}

// kernels are all that this processor has.
func kernels() map[string]rowKernel {
	all := vectorKernels()
	all["plain"] = nil
	return all
}
