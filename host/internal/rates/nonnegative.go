package rates

import "slices"

// nonNegative minimizes xᵀAx/2 - bᵀx over x ≥ 0, A positive definite: Lawson and Hanson, "Solving Least Squares
// Problems", 1974, chapter 23. Free are the x that may be above 0; the others are 0.
func nonNegative(a [][]float64, b []float64) []float64 {
	x, free := make([]float64, len(b)), make([]bool, len(b))
	for range 4 * len(b) { // each round but few frees one for good
		best, steepest := -1, 1e-12
		for i := range b {
			if slope := b[i] - dot(a[i], x); !free[i] && slope > steepest {
				best, steepest = i, slope
			}
		}
		if best < 0 {
			break
		}
		free[best] = true
		x = descend(a, b, x, free)
	}
	return x
}

// descend goes from x to the minimum over the free ones, and frees no longer those that would fall below 0 on the way.
func descend(a [][]float64, b, x []float64, free []bool) []float64 {
	for {
		s := solve(a, b, free)
		step, first := 1.0, -1
		for i := range s {
			if free[i] && s[i] <= 0 && x[i]/(x[i]-s[i]) <= step {
				step, first = x[i]/(x[i]-s[i]), i
			}
		}
		if first < 0 {
			return s
		}
		for i := range x {
			x[i] = max(0, x[i]+step*(s[i]-x[i]))
		}
		x[first], free[first] = 0, false
	}
}

// solve finds the x of Ax = b among the free ones, the others being 0: Gauss and Jordan's elimination, which needs no
// pivots for such A.
func solve(a [][]float64, b []float64, free []bool) []float64 {
	m := make([][]float64, len(b))
	for i := range m {
		m[i] = append(slices.Clone(a[i]), b[i])
	}
	for p := range m {
		if !free[p] {
			continue
		}
		for i := range m {
			if i == p || !free[i] {
				continue
			}
			by := m[i][p] / m[p][p]
			for j := range m[i] {
				m[i][j] -= by * m[p][j]
			}
		}
	}
	x := make([]float64, len(b))
	for i := range x {
		if free[i] {
			x[i] = m[i][len(b)] / m[i][i]
		}
	}
	return x
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}
