package vector

import "github.com/penstock-db/penstock/algorithms/neural/dataflow"

// Unary computes a function of each number, if there is a kernel for it. Numbers may be computed in place.
func Unary[T Number](op dataflow.Op, to, from []T, slope T) bool {
	if !isSingle[T]() || level < AVX2 {
		return false
	}
	from = from[:len(to)]
	return len(to) == 0 || unary(op, first(to), first(from), len(to), float32(slope))
}

// Elus computes elu and its slope of each number, if there are kernels for them.
func Elus[T Number](to, slopes, from []T) bool {
	slopes, from = slopes[:len(to)], from[:len(to)]
	if isSingle[T]() && level >= AVX512 && len(to) > 0 {
		elus(first(to), first(slopes), first(from), len(to))
		return true
	}
	return Unary(dataflow.EluSlope, slopes, from, 0) && Unary(dataflow.Elu, to, from, 0)
}

// LessMost makes n rows less the largest number of each, which it writes too unless most is nil, if there is a kernel
// for rows so wide. Of a row in which something is not a number, that stays so; what the largest is, is open.
func LessMost[T Number](to, most, x []T, n, width int) bool {
	if !isSingle[T]() || level < AVX512 || width > 16 {
		return false
	}
	to, x = to[:n*width], x[:n*width]
	if most != nil {
		most = most[:n]
	}
	if len(to) > 0 {
		lessMost(first(to), first(most), first(x), n, width)
	}
	return true
}
