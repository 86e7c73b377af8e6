package vector

import (
	"math"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
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

	Exp, Kept, KeptSlope, ExpSlope, Product []T      // rows one after the other; nil: not asked for
	Keys                                    []uint64 // of each row of factors, which are drawn by Drop; then Kept is there
	Drop                                    dataflow.MaskKey

	drops bool // Kept has the factors, in the place of which it is written
}

// Rows computes n rows of so many numbers.
func (s *Scores[T]) Rows(n, width int) {
	if n == 0 || width == 0 {
		return
	}
	if isSingle[T]() && level >= AVX512 && (width == 8 || width == 1) {
		s.check(n, width)
		s.drawn(n, width)
		return
	}
	s.drops = len(s.Keys) > 0 && s.Drop.Limit > 0
	if s.drops {
		s.draw(n, width)
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

// draw makes the factors.
func (s *Scores[T]) draw(n, width int) {
	factors := s.Kept[:n*width]
	for i := range factors {
		factors[i] = 1
	}
	Mask(factors, factors, s.Keys[:n], width, s.Drop)
}

// manyNumbers are more than the second cache of a processor has: rows are asked for before they are read.
const manyNumbers = 1 << 18

// drawn is Rows by the kernels for eight heads and for one, which draw factors as they go.
func (s *Scores[T]) drawn(n, width int) {
	asked, keys, factor := 0, unsafe.SliceData(s.Keys), float32(s.Drop.Kept)
	if len(s.Keys) == 0 || s.Drop.Limit == 0 {
		keys, factor = nil, 1
	}
	if max(len(s.Left.Of), len(s.Right.Of), len(s.Most.Of), len(s.Times.Of)) > manyNumbers {
		asked = n
	}
	drawnScores(width, first(s.Left.Of), unsafe.SliceData(s.Left.Index), first(s.Right.Of),
		unsafe.SliceData(s.Right.Index), first(s.Most.Of), unsafe.SliceData(s.Most.Index), first(s.Times.Of),
		unsafe.SliceData(s.Times.Index), first(s.Exp), first(s.Kept), first(s.KeptSlope), first(s.ExpSlope),
		first(s.Product), n, asked, float32(s.Slope), keys, &lanes[1][0], s.Drop.Limit, factor)
}

// number writes what is made of one number.
func (s *Scores[T]) number(at int, exp, slope T) {
	kept := exp
	if s.drops {
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
	if s.drops {
		drops = 1
	}
	scores(width, first(s.Left.Of), unsafe.SliceData(s.Left.Index), first(s.Right.Of), unsafe.SliceData(s.Right.Index),
		first(s.Most.Of), unsafe.SliceData(s.Most.Index), first(s.Times.Of), unsafe.SliceData(s.Times.Index),
		first(s.Exp), first(s.Kept), first(s.KeptSlope), first(s.ExpSlope), first(s.Product), n, drops, float32(s.Slope))
}
