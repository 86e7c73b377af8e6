package mf

import "math"

// Unit is one in which ratings of this variance deviate by about 1: a power of two, so that no rating loses a bit, and
// 1 for most scales of stars.
func Unit(variance float64) float64 {
	if !(variance > 0) {
		return 1
	}
	return math.Exp2(math.Round(math.Log2(variance) / 2))
}
