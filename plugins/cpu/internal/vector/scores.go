package vector

import (
	"math"
	"unsafe"
)

// Scores is what attention computes at edges (Veličković et al., ICLR 2018, equation 3), and what the gradient needs of
// it: with s the slope of leaky_relu at z = left + right,
//
//	exp = exp(leaky_relu(z) - most)    kept = exp · factor    keptSlope = kept · s    expSlope = exp · s    product = expSlope · times
//
// The numbers of a row are those of heads. Nothing else than what is asked for is written.
type Scores[T Number] struct {
	Left, Right, Most, Times Operand[T]
	Slope                    T // of leaky_relu below 0

	Exp, Kept, KeptSlope, ExpSlope, Product []T  // rows one after the other; nil: not asked for
	Drops                                   bool // Kept has the factors of a dropout, in the place of which it is written
}

// Rows computes n rows of so many numbers.
func (s *Scores[T]) Rows(n, width int) {
	if n == 0 || width == 0 {
		return
	}
	if isSingle[T]() && level >= AVX2 {
		s.check(n, width)
		s.rows(n, width)
		return
	}
	for i := range n {
		left, right, most := s.Left.row(i, width), s.Right.row(i, width), s.Most.row(i, width)
		for j := range width {
			z := left[j] + right[j]
			at, slope := i*width+j, s.Slope
			if z > 0 {
				slope = 1
			}
			s.number(at, T(math.Exp(float64(max(z, 0)+s.Slope*min(z, 0)-most[j]))), slope)
			if s.Product != nil {
				s.Product[at] *= s.Times.row(i, width)[j]
			}
		}
	}
}

// number writes what is made of one number.
func (s *Scores[T]) number(at int, exp, slope T) {
	kept := exp
	if s.Drops {
		kept *= s.Kept[at]
	}
	if s.Exp != nil {
		s.Exp[at] = exp
	}
	if s.Kept != nil {
		s.Kept[at] = kept
	}
	if s.KeptSlope != nil {
		s.KeptSlope[at] = kept * slope
	}
	if s.ExpSlope != nil {
		s.ExpSlope[at] = exp * slope
	}
	if s.Product != nil {
		s.Product[at] = exp * slope
	}
}

// check panics, as plain loops do, where there is less memory than rows.
func (s *Scores[T]) check(n, width int) {
	for _, out := range [][]T{s.Exp, s.Kept, s.KeptSlope, s.ExpSlope, s.Product} {
		if out != nil {
			_ = out[:n*width]
		}
	}
}

// rows is Rows by a kernel.
func (s *Scores[T]) rows(n, width int) {
	drops := 0
	if s.Drops {
		drops = 1
	}
	scores(width, first(s.Left.Of), unsafe.SliceData(s.Left.Index), first(s.Right.Of), unsafe.SliceData(s.Right.Index),
		first(s.Most.Of), unsafe.SliceData(s.Most.Index), first(s.Times.Of), unsafe.SliceData(s.Times.Index),
		first(s.Exp), first(s.Kept), first(s.KeptSlope), first(s.ExpSlope), first(s.Product), n, drops, float32(s.Slope))
}
