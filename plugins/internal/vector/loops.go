package vector

import "math"

// The loops. Each slices its operands to the length of dst first, which frees the loop
// from bounds checks.

func add[T number](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] + b[i]
	}
}

func subtract[T number](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] - b[i]
	}
}

func multiply[T number](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] * b[i]
	}
}

func divide(dst, a, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] / b[i]
	}
}

func quotient(dst, a, b []int64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		if b[i] == 0 {
			dst[i] = 0
			continue
		}
		dst[i] = a[i] / b[i]
	}
}

func remainder(dst, a, b []int64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		if b[i] == 0 {
			dst[i] = 0
			continue
		}
		dst[i] = a[i] % b[i]
	}
}

func least[T number](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = min(a[i], b[i])
	}
}

func greatest[T number](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = max(a[i], b[i])
	}
}

func less[T number](dst []bool, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] < b[i]
	}
}

func lessEqual[T number](dst []bool, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] <= b[i]
	}
}

func greater[T number](dst []bool, a, b []T) { less(dst, b, a) }

func greaterEqual[T number](dst []bool, a, b []T) { lessEqual(dst, b, a) }

func equal[T value](dst []bool, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] == b[i]
	}
}

func unequal[T value](dst []bool, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] != b[i]
	}
}

func and(dst, a, b []bool) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] && b[i]
	}
}

func or(dst, a, b []bool) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] || b[i]
	}
}

func not(dst, a []bool) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = !a[i]
	}
}

func negate[T number](dst, a []T) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = -a[i]
	}
}

func absolute(dst, a []int64) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = max(a[i], -a[i])
	}
}

func choose[T value](dst []T, condition []bool, a, b []T) {
	condition, a, b = condition[:len(dst)], a[:len(dst)], b[:len(dst)]
	for i := range dst {
		x := b[i]
		if condition[i] {
			x = a[i]
		}
		dst[i] = x
	}
}

// chooseFloats moves the bits as integers, which compiles to a conditional move.
func chooseFloats(dst []float64, condition []bool, a, b []float64) {
	condition, a, b = condition[:len(dst)], a[:len(dst)], b[:len(dst)]
	for i := range dst {
		x, y := math.Float64bits(b[i]), math.Float64bits(a[i])
		if condition[i] {
			x = y
		}
		dst[i] = math.Float64frombits(x)
	}
}

func toFloat(dst []float64, a []int64) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = float64(a[i])
	}
}

func toSingle(dst, a []float64) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = float64(float32(a[i]))
	}
}

func toInt(dst []int64, a []float64) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = truncate(a[i])
	}
}

// truncate cuts towards zero, holds at the ends of int64, and makes 0 of NaN.
func truncate(x float64) int64 {
	switch {
	case x != x:
		return 0
	case x >= math.MaxInt64:
		return math.MaxInt64
	case x <= math.MinInt64:
		return math.MinInt64
	}
	return int64(x)
}

// each applies a function of the math package to every value.
func each(f func(float64) float64) func(dst, a []float64) {
	return func(dst, a []float64) {
		a = a[:len(dst)]
		for i := range dst {
			dst[i] = f(a[i])
		}
	}
}

func same[T value](dst, a []T) { copy(dst, a) }

func gather[T value](dst, from []T, indices []uint32) {
	dst = dst[:len(indices)]
	for i, at := range indices {
		dst[i] = from[at]
	}
}

func fill[T value](dst []T, x T) {
	for i := range dst {
		dst[i] = x
	}
}
