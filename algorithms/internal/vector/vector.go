package vector

import "math"

// Norm is the Euclidean length of x.
func Norm(x []float64) float64 {
	square := 0.0
	for _, value := range x {
		square += value * value
	}
	return math.Sqrt(square)
}

// Scale makes x a vector of length 1, unless it is 0.
func Scale(x []float64) {
	if length := Norm(x); length > 0 {
		for v := range x {
			x[v] /= length
		}
	}
}

// Sum adds up in the order of values.
func Sum(values []float64) (total float64) {
	for _, x := range values {
		total += x
	}
	return total
}
