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
