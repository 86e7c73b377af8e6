package value

import (
	"cmp"
	"math"
)

// compareNumbers orders numbers by what they are worth: no integer is rounded to a float, since
// then a = b and b = c would not give a = c. NaN is the greatest, and equal to itself.
func compareNumbers(a, b Value) int {
	switch {
	case a.kind == Int && b.kind == Int:
		return cmp.Compare(int64(a.bits), int64(b.bits))
	case a.kind == Int:
		return compareIntFloat(int64(a.bits), b.Float())
	case b.kind == Int:
		return -compareIntFloat(int64(b.bits), a.Float())
	}
	return compareFloats(a.Float(), b.Float())
}

func compareFloats(a, b float64) int {
	if math.IsNaN(a) || math.IsNaN(b) {
		return cmp.Compare(bit(math.IsNaN(a)), bit(math.IsNaN(b)))
	}
	return cmp.Compare(a, b)
}

func compareIntFloat(i int64, f float64) int {
	switch {
	case math.IsNaN(f), f >= 1<<63:
		return -1
	case f < -1<<63:
		return 1
	}
	whole, fraction := math.Modf(f)
	if c := cmp.Compare(i, int64(whole)); c != 0 {
		return c
	}
	return cmp.Compare(0, fraction)
}

// isNaN tells whether it is the float that equals nothing.
func (v Value) isNaN() bool { return v.kind == Float && math.IsNaN(v.Float()) }

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
