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

// ScaleParts multiplies each part of rows by a number: there are so many parts of as many numbers in a row. X is as
// many rows as there are scales for, or one for all of them.
func ScaleParts[T Number](to, x, scale []T, parts, part int) {
	rows, width := len(scale)/parts, parts*part
	to = to[:rows*width]
	if len(x) != width { // a long row
		x, rows, parts, width = x[:len(to)], 1, rows*parts, len(to)
	}
	if isSingle[T]() && level >= AVX2 {
		scaleParts(first(to), first(x), first(scale), rows, parts, part)
		return
	}
	for i := range rows {
		to := to[i*width : (i+1)*width]
		for k, s := range scale[i*parts : (i+1)*parts] {
			for j := k * part; j < (k+1)*part; j++ {
				to[j] = x[j] * s
			}
		}
	}
}

// AddScaled makes rows y + s·x, or y + s·x + more where more is not nil: each part of a row of x goes with a number.
// X, y and more are as many rows as there are scales for, or one for all of them. A product is rounded before it is
// added, and a sum before the next, as where these are computed one after the other.
func AddScaled[T Number](to, x, scale, y, more []T, parts, part int) {
	rows, width := len(scale)/parts, parts*part
	to = to[:rows*width]
	if rows > 0 && isSingle[T]() && level >= AVX2 {
		var back [3]int // in bytes
		for k, of := range [][]T{x, y, more} {
			if len(of) == width {
				back[k] = 4 * width
			} else if of != nil {
				_ = of[:len(to)]
			}
		}
		if back == [3]int{} { // a long row
			rows, parts = 1, rows*parts
		}
		addScaled(first(to), first(x), first(scale), first(y), first(more), rows, parts, part, back[0], back[1], back[2])
		return
	}
	row := func(of []T, i int) []T { return of[i*width%len(of):][:width] }
	for i := range rows {
		to, x, y := to[i*width:(i+1)*width], row(x, i), row(y, i)
		for j := range to {
			to[j] = y[j] + T(scale[i*parts+j/part]*x[j]) //nolint:unconvert // it rounds: nothing is fused
		}
		if more != nil {
			for j, a := range row(more, i) {
				to[j] += a
			}
		}
	}
}

// SumScaled adds n rows to one, each part of which goes with a number: there are so many parts of as many numbers in a
// row. A product is rounded before it is added, as where both are computed one after the other.
func SumScaled[T Number](sum, x, scale []T, n, parts, part int) {
	width := parts * part
	sum, x, scale = sum[:width], x[:n*width], scale[:n*parts]
	if n > 0 && isSingle[T]() && level >= AVX2 {
		sumScaled(first(sum), first(x), first(scale), n, parts, part)
		return
	}
	for i := range n {
		row := x[i*width : (i+1)*width]
		for k, s := range scale[i*parts : (i+1)*parts] {
			for j := k * part; j < (k+1)*part; j++ {
				sum[j] += T(s * row[j]) //nolint:unconvert // it rounds: nothing is fused
			}
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
