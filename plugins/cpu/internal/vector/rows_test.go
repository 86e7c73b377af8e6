package vector

import (
	"math"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/internal/testseed"
)

// Rows that indices name, or that follow each other, give what float64 does, and nothing beside them is written.
func TestRows(t *testing.T) {
	r := testseed.Rand(t)
	for range 400 {
		n, parts, part := r.IntN(20), 1+r.IntN(17), 1+r.IntN(20)
		switch r.IntN(4) {
		case 0:
			part = 8
		case 1:
			parts, part = 1, 1+7*r.IntN(2)
		}
		width := parts * part
		draw := func() (single Operand[float32], double Operand[float64]) {
			single.Of = normal(r, 30*width)
			if r.IntN(9) == 0 {
				clear(single.Of)
			}
			if r.IntN(2) == 0 {
				for range n {
					single.Index = append(single.Index, uint32(r.IntN(30)))
				}
			}
			double.Index = single.Index
			for _, a := range single.Of {
				double.Of = append(double.Of, float64(a))
			}
			return single, double
		}
		x, xs := draw()
		y, ys := draw()
		scale := normal(r, n*parts)
		for _, l := range Levels() {
			At(l, func() {
				for _, op := range []dataflow.Op{dataflow.Add, dataflow.Subtract, dataflow.Multiply, dataflow.Divide} {
					to := make([]float32, n*width+8)
					if !Binary(op, to, x, y, n, width) {
						continue
					}
					check(t, l, op, to, n*width, func(i int) (float64, float64) {
						want := dataflow.Binary(op, xs.row(i/width, width)[i%width], ys.row(i/width, width)[i%width])
						return want, math.Abs(want)
					})
				}
				to := make([]float32, n*width+8)
				ScaleParts(to, x.Of[:n*width], scale, parts, part)
				check(t, l, "parts", to, n*width, func(i int) (float64, float64) {
					want := xs.Of[i] * float64(scale[i/part])
					return want, math.Abs(want)
				})
				to = make([]float32, n*width+8)
				ScaleParts(to, x.Of[:width], scale, parts, part)
				check(t, l, "parts of one row", to, n*width, func(i int) (float64, float64) {
					want := xs.Of[i%width] * float64(scale[i/part])
					return want, math.Abs(want)
				})
				to = make([]float32, n*parts+8)
				DotParts(to, x, y, n, parts, part)
				check(t, l, "scalar products", to, n*parts, func(i int) (want, size float64) {
					for j := range part {
						p := xs.row(i/parts, width)[i%parts*part+j] * ys.row(i/parts, width)[i%parts*part+j]
						want, size = want+p, size+math.Abs(p)
					}
					return want, size
				})
				to = append(append([]float32{}, y.Of[:width]...), make([]float32, 8)...)
				MaxRows(to[:width], x, n)
				check(t, l, "largest", to, width, func(i int) (float64, float64) {
					want := ys.Of[i]
					for e := range n {
						want = math.Max(want, xs.row(e, width)[i])
					}
					return want, 0
				})
				if x.Index == nil {
					return
				}
				to = append(append([]float32{}, y.Of...), make([]float32, 8)...)
				Scatter(to[:len(y.Of)], x.Index, scale[:n], x.Of[:width])
				check(t, l, "scattered", to, len(y.Of), func(i int) (float64, float64) {
					want := ys.Of[i]
					size := math.Abs(want)
					for e, k := range x.Index {
						if int(k) == i/width {
							want += float64(scale[e]) * xs.Of[i%width]
							size += math.Abs(float64(scale[e]) * xs.Of[i%width])
						}
					}
					return want, size
				})
			})
		}
	}
}

// Rows that are added up with numbers come to the bits of those that are scaled first, however wide, and nothing beside
// the sum is written.
func TestSumScaled(t *testing.T) {
	r := testseed.Rand(t)
	for range 400 {
		n, parts, part := r.IntN(20), 1+r.IntN(17), 1+r.IntN(20)
		if r.IntN(2) == 0 {
			part = 8
		}
		width, from := parts*part, r.IntN(4)
		x, scale, begun := normal(r, from+n*width)[from:], normal(r, n*parts), normal(r, from+width+8)[from:]
		for _, l := range Levels() {
			At(l, func() {
				want, got, rows := slices.Clone(begun), slices.Clone(begun), make([]float32, n*width)
				ScaleParts(rows, x, scale, parts, part)
				for i, a := range rows {
					want[i%width] += a
				}
				SumScaled(got[:width], x, scale, n, parts, part)
				for i, a := range got {
					if a != want[i] {
						t.Fatalf("%v: number %d of %d rows of %d parts of %d is %v, not %v", l, i, n, parts, part, a, want[i])
					}
				}
			})
		}
	}
}

// Sums of scaled rows and one or two other things, each of them rows or one for all, come to the bits of what is
// computed one after the other, and nothing beside is written.
func TestAddScaled(t *testing.T) {
	r := testseed.Rand(t)
	for range 400 {
		n, parts, part := r.IntN(20), 1+r.IntN(17), 1+r.IntN(20)
		if r.IntN(2) == 0 {
			part = 8
		}
		width := parts * part
		draw := func() (given, spread []float32) {
			if given = normal(r, n*width); r.IntN(2) == 0 {
				given = normal(r, width)
				return given, slices.Repeat(given, n)
			}
			return given, given
		}
		x, xs := draw()
		y, ys := draw()
		more, mores := draw()
		if r.IntN(2) == 0 {
			more = nil
		}
		scale := normal(r, n*parts)
		for _, l := range Levels() {
			At(l, func() {
				want, got := make([]float32, n*width+8), make([]float32, n*width+8)
				ScaleParts(want, xs, scale, parts, part)
				for i := range n * width {
					if want[i] += ys[i]; more != nil {
						want[i] += mores[i]
					}
				}
				if AddScaled(got, x, scale, y, more, parts, part); !slices.Equal(got, want) {
					t.Fatalf("%v, %d rows of %d parts of %d: %v, not %v", l, n, parts, part, got, want)
				}
			})
		}
	}
}

// check compares n numbers with what they shall be, to some of their size, and what follows with 0.
func check(t *testing.T, l Level, what any, got []float32, n int, want func(i int) (is, size float64)) {
	t.Helper()
	for i, a := range got {
		is, size := 0.0, 0.0
		if i < n {
			is, size = want(i)
		}
		if !(math.Abs(float64(a)-is) <= 1e-6*size) {
			t.Fatalf("%v, %v: number %d of %d is %v, not %v", l, what, i, n, a, is)
		}
	}
}
