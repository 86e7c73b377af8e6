package vector

import (
	"unsafe"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
)

// Operand is rows one after the other, or those that an index names.
type Operand[T Number] struct {
	Of    []T
	Index []uint32
}

func (o Operand[T]) row(i, width int) []T {
	if o.Index != nil {
		i = int(o.Index[i])
	}
	return o.Of[i*width : (i+1)*width]
}

// Binary computes n rows of two of the same width, if there is a kernel for it.
func Binary[T Number](op dataflow.Op, to []T, x, y Operand[T], n, width int) bool {
	if !isSingle[T]() || level < AVX2 {
		return false
	}
	to = to[:n*width]
	if x.Index == nil && y.Index == nil {
		x.Of, y.Of = x.Of[:n*width], y.Of[:n*width]
		n, width = 1, n*width
	}
	return len(to) == 0 || binary(op, first(to), first(x.Of), unsafe.SliceData(x.Index), first(y.Of),
		unsafe.SliceData(y.Index), n, width)
}

// ScaleParts multiplies each part of x, of so many numbers, by a number.
func ScaleParts[T Number](to, x, scale []T, part int) {
	to, x = to[:len(scale)*part], x[:len(scale)*part]
	if isSingle[T]() && level >= AVX2 {
		scaleParts(first(to), first(x), first(scale), len(scale), part)
		return
	}
	for k, s := range scale {
		for j := k * part; j < (k+1)*part; j++ {
			to[j] = x[j] * s
		}
	}
}

// DotParts computes of n pairs of rows the scalar products of each of their parts.
func DotParts[T Number](to []T, x, y Operand[T], n, parts, part int) {
	if isSingle[T]() && level >= AVX2 {
		dotParts(first(to[:n*parts]), first(x.Of), unsafe.SliceData(x.Index), first(y.Of), unsafe.SliceData(y.Index), n,
			parts, part)
		return
	}
	for e := range n {
		a, b := x.row(e, parts*part), y.row(e, parts*part)
		for k := range parts {
			var sum T
			for j := k * part; j < (k+1)*part; j++ {
				sum += a[j] * b[j]
			}
			to[e*parts+k] = sum
		}
	}
}

// MaxRows makes each number of to the largest of itself and those of n rows.
func MaxRows[T Number](to []T, x Operand[T], n int) {
	if isSingle[T]() && level >= AVX2 {
		maxRows(first(to), first(x.Of), unsafe.SliceData(x.Index), n, len(to))
		return
	}
	for e := range n {
		for j, a := range x.row(e, len(to)) {
			to[j] = max(to[j], a)
		}
	}
}

// Scatter adds a row to those rows of sum that index names, each time times a number.
func Scatter[T Number](sum []T, index []uint32, scale, row []T) {
	if isSingle[T]() && level >= AVX2 {
		scatter(first(sum), unsafe.SliceData(index), first(scale), len(index), first(row), len(row))
		return
	}
	for e, k := range index {
		to := sum[int(k)*len(row):][:len(row)]
		for j, a := range row {
			to[j] += scale[e] * a
		}
	}
}
