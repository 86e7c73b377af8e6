package vector

import (
	"math"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/internal/testseed"
)

// scored is the scores of a test by the kernels for one operator each, which compute the same bits.
type scored struct{ exp, kept, keptSlope, expSlope, product []float32 }

// piecewise computes scores operator by operator.
func piecewise(s Scores[float32], factor []float32, n, width int) (all scored) {
	follow := func(x []float32) Operand[float32] { return Operand[float32]{Of: x} }
	two := func(op dataflow.Op, x, y Operand[float32]) []float32 {
		to := make([]float32, n*width)
		Binary(op, to, x, y, n, width)
		return to
	}
	one := func(op dataflow.Op, x []float32) []float32 {
		to := make([]float32, n*width)
		Unary(op, to, x, s.Slope)
		return to
	}
	z := two(dataflow.Add, s.Left, s.Right)
	slope := one(dataflow.LeakySlope, z)
	all.exp = one(dataflow.Exp, two(dataflow.Subtract, follow(one(dataflow.LeakyRelu, z)), s.Most))
	all.kept = all.exp
	if factor != nil {
		all.kept = two(dataflow.Multiply, follow(all.exp), follow(factor))
	}
	all.keptSlope = two(dataflow.Multiply, follow(all.kept), follow(slope))
	all.expSlope = two(dataflow.Multiply, follow(all.exp), follow(slope))
	all.product = two(dataflow.Multiply, follow(all.expSlope), s.Times)
	return all
}

// Scores of any width, all of them or some, are those of float64, to the bits of operators one by one; nothing beside
// what is asked for is written.
func TestScores(t *testing.T) {
	r := testseed.Rand(t)
	for range 400 {
		n, width := r.IntN(30), 1+r.IntN(20)
		if r.IntN(2) == 0 {
			width = []int{1, 4, 8, 16}[r.IntN(4)]
		}
		draw := func() (x Operand[float32]) {
			x.Of = normal(r, 30*width)
			if r.IntN(2) == 0 {
				for range n {
					x.Index = append(x.Index, uint32(r.IntN(30)))
				}
			}
			return x
		}
		s := Scores[float32]{Left: draw(), Right: draw(), Most: draw(), Times: draw(), Slope: r.Float32()}
		asked := r.IntN(32)
		var factor []float32
		if r.IntN(2) == 0 {
			s.Drop = dataflow.MaskKey{Limit: r.Uint64() >> 48, Kept: 2.5}
			for range n {
				s.Keys = append(s.Keys, r.Uint64())
				row := dataflow.MaskRow{From: s.Keys[len(s.Keys)-1], Limit: s.Drop.Limit, Kept: s.Drop.Kept}
				for j := range width {
					factor = append(factor, float32(row.Factor(j)))
				}
			}
			asked |= 2
		}
		if r.IntN(9) == 0 { // as where there are many
			s.Left.Of = append(s.Left.Of, make([]float32, manyNumbers)...)
		}
		for _, l := range Levels() {
			At(l, func() {
				var out [5][]float32
				for k, to := range []*[]float32{&s.Exp, &s.Kept, &s.KeptSlope, &s.ExpSlope, &s.Product} {
					if *to = nil; asked>>k&1 != 0 {
						out[k] = make([]float32, n*width+8)
						*to = out[k][:n*width]
					}
				}
				s.Rows(n, width)
				exact := scored{}
				if l >= AVX2 {
					exact = piecewise(s, factor, n, width)
				}
				bits := [5][]float32{exact.exp, exact.kept, exact.keptSlope, exact.expSlope, exact.product}
				for k, got := range out {
					if got != nil {
						checkScores(t, l, k, s, factor, got, n, width)
					}
					if got != nil && l >= AVX2 && !slices.Equal(got[:n*width], bits[k]) {
						t.Fatalf("%v, output %d of %d rows of %d: %v is not to the bit %v", l, k, n, width, got[:n*width], bits[k])
					}
				}
			})
		}
	}
}

// checkScores compares one of the five with float64.
func checkScores(t *testing.T, l Level, k int, s Scores[float32], factor, got []float32, n, width int) {
	t.Helper()
	check(t, l, k, got, n*width, func(i int) (float64, float64) {
		number := func(x Operand[float32]) float64 { return float64(x.row(i/width, width)[i%width]) }
		z, slope, kept := number(s.Left)+number(s.Right), float64(s.Slope), 1.0
		if z > 0 {
			slope = 1
		}
		if factor != nil {
			kept = float64(factor[i])
		}
		exp := math.Exp(slope*z - number(s.Most))
		want := [5]float64{exp, exp * kept, exp * kept * slope, exp * slope, exp * slope * number(s.Times)}[k]
		return want, 8 * math.Abs(want) // z is rounded before exp is taken
	})
}
