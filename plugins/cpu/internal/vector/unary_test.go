package vector

import (
	"math"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/internal/testseed"
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

// Elu and its slope have together the bits that each has alone, at every place of a vector, and nothing beside is
// written.
func TestElus(t *testing.T) {
	var x []float32
	for i := range 4000 {
		x = append(x, float32(i-3000)/20, float32(i-2000)/20000)
	}
	x = append(x, 0, float32(math.Copysign(0, -1)), -87.4, -103.9, -104, -1000, 1000, float32(math.Inf(1)),
		float32(math.Inf(-1)), 3, float32(math.NaN()), 1)
	for _, l := range Levels() {
		At(l, func() {
			for n := len(x); n > len(x)-20; n-- {
				var want, got [2][]float32
				for k := range got {
					want[k], got[k] = make([]float32, len(x)), make([]float32, len(x))
				}
				has := Unary(dataflow.Elu, want[0][:n], x, 0) && Unary(dataflow.EluSlope, want[1][:n], x, 0)
				if Elus(got[0][:n], got[1], x) != has {
					t.Fatalf("%v: there are kernels of both, or of each alone, but not so of the others", l)
				}
				for k := range got {
					for i, a := range got[k] {
						if math.Float32bits(a) != math.Float32bits(want[k][i]) && !(a != a && want[k][i] != want[k][i]) {
							t.Fatalf("%v: function %d of %v, of %d: %v, alone %v", l, k, x[i], n, a, want[k][i])
						}
					}
				}
			}
		})
	}
}

// Rows less their largest are those of a loop, where there is a kernel for their width, and nothing beside is written.
func TestLessMost(t *testing.T) {
	r := testseed.Rand(t)
	for i := range 100 {
		n, width := r.IntN(9), 1+r.IntN(18)
		x := normal(r, n*width)
		for _, l := range Levels() {
			At(l, func() {
				to, most := make([]float32, n*width+20), make([]float32, n+1)
				asked := most[:n]
				if i%3 == 0 {
					asked = nil
				}
				if has := LessMost(to, asked, x, n, width); has != (l >= AVX512 && width <= 16) {
					t.Fatalf("%v, rows of %d: there is a kernel: %v", l, width, has)
				} else if !has {
					return
				}
				want, largest := make([]float32, n*width+20), make([]float32, n+1)
				for k := range n {
					row := x[k*width : (k+1)*width]
					for j, a := range row {
						want[k*width+j] = a - slices.Max(row)
					}
					if asked != nil {
						largest[k] = slices.Max(row)
					}
				}
				if !slices.Equal(to, want) || !slices.Equal(most, largest) {
					t.Fatalf("%d rows of %d: %v, largest %v; expected %v, %v", n, width, to, most, want, largest)
				}
			})
		}
	}
}
