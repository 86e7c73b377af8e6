package vector

import (
	"math"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
)

// Functions are right to a few units in the last place over all their range, at every place of a vector, in place too.
func TestUnary(t *testing.T) {
	var x []float32
	for b := uint32(0); b < 0x7f800000; b += 9973 * 16 {
		x = append(x, math.Float32frombits(b), -math.Float32frombits(b))
	}
	for i := range 40000 {
		x = append(x, float32(i-20000)/190, float32(i-20000)/20000)
	}
	x = append(x, 0, float32(math.Copysign(0, -1)), 88.72, 88.73, -87.4, -103.9, -104, -1000, 1000,
		float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()))
	for _, op := range []dataflow.Op{dataflow.Exp, dataflow.Sigmoid, dataflow.Tanh, dataflow.Elu, dataflow.EluSlope,
		dataflow.Relu, dataflow.Positive, dataflow.LeakyRelu, dataflow.LeakySlope} {
		for _, l := range Levels() {
			At(l, func() {
				if has := Unary(op, make([]float32, 1), []float32{1}, 0); has != (l > Plain) {
					t.Fatalf("%v: there is a kernel of %v: %v", l, op, has)
				} else if !has {
					return
				}
				to, slope, least := make([]float32, len(x)), float32(0.2), 1.5e-45
				if op == dataflow.Sigmoid {
					least = 1.2e-38 // exp(-x) is infinite where the result is not normal
				}
				Unary(op, to, x, slope)
				for i, a := range x {
					want := dataflow.Unary(op, float64(a), float64(slope))
					got := float64(to[i])
					switch {
					case math.IsNaN(want):
						if !math.IsNaN(got) {
							t.Fatalf("%v of %v is %v", op, a, got)
						}
					case math.IsInf(want, 0) || math.Abs(want) > math.MaxFloat32:
						if !math.IsInf(got, int(math.Copysign(1, want))) {
							t.Fatalf("%v of %v is %v, not %v", op, a, got, want)
						}
					case math.Abs(got-want) > 4e-7*math.Abs(want)+least:
						t.Fatalf("%v of %v is %v, not %v", op, a, got, want)
					}
				}
				for n := range 20 {
					own := append([]float32{}, x[1000:1024]...)
					Unary(op, own[:n], own[:n], slope)
					for i, a := range own {
						if want := to[1000+i]; i < n && a != want || i >= n && a != x[1000+i] {
							t.Fatalf("%v in place of %d numbers: number %d is %v, not %v", op, n, i, a, want)
						}
					}
				}
			})
		}
	}
}
