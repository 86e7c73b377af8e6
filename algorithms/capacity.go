package algorithms

import (
	"math"
	"math/bits"
)

// CapacityShift is how many bits make whole numbers of capacities up to the largest, so that what leaves a vertex of so
// many edges has 61 bits at most. It is the exponent of a number.
func CapacityShift(largest float64, edges int) int {
	_, exponent := math.Frexp(largest)
	return min(61-bits.Len(uint(edges))-exponent, 1023)
}

// WholeCapacity is a capacity in units of 2^-shift.
func WholeCapacity(capacity float64, shift int) int64 {
	return int64(math.RoundToEven(math.Ldexp(capacity, shift)))
}
