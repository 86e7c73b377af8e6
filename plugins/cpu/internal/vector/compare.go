package vector

import "unsafe"

// Dots computes the scalar products of a row with n others. That of two rows is the same in either order.
func Dots(to, x []float32, y Operand[float32], n int) {
	to = to[:n]
	if n > 0 && level >= AVX2 {
		dots(first(to), first(x), first(y.Of), unsafe.SliceData(y.Index), n, len(x))
		return
	}
	for e := range to {
		var sum float32
		for k, b := range y.row(e, len(x)) {
			sum += x[k] * b
		}
		to[e] = sum
	}
}

// Squares computes the squares of the distances of a row from n others. That of two rows is the same in either order.
func Squares(to, x []float32, y Operand[float32], n int) {
	to = to[:n]
	if n > 0 && level >= AVX2 {
		squares(first(to), first(x), first(y.Of), unsafe.SliceData(y.Index), n, len(x))
		return
	}
	for e := range to {
		var sum float32
		for k, b := range y.row(e, len(x)) {
			d := x[k] - b
			sum += d * d
		}
		to[e] = sum
	}
}
