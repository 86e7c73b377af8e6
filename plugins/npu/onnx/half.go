package onnx

import "math"

// Half is a number in half precision (IEEE 754 binary16), as its bits.
type Half uint16

// LargestHalf is the largest finite number in half precision.
const LargestHalf = 65504

// HalfOf rounds to the nearest number in half precision, ties to even.
func HalfOf(v float32) Half {
	bits := math.Float32bits(v)
	sign := Half(bits >> 16 & 0x8000)
	switch magnitude := bits & 0x7fffffff; {
	case magnitude > 0x7f800000: // not a number
		return sign | 0x7e00
	case magnitude >= 0x477ff000: // rounds to above the largest
		return sign | 0x7c00
	case magnitude < 0x38800000: // below the smallest normal number: multiples of 2^-24
		return sign | Half(math.RoundToEven(float64(math.Float32frombits(magnitude))*(1<<24)))
	default: // the exponent's bias goes from 127 to 15, the fraction from 23 bits to 10
		rounded := magnitude + 0xfff + (magnitude >> 13 & 1)
		return sign | Half((rounded-0x38000000)>>13)
	}
}

// Float32 is the number, exactly.
func (h Half) Float32() float32 {
	sign, exponent, fraction := uint32(h&0x8000)<<16, uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch exponent {
	case 0:
		return float32(math.Copysign(float64(fraction)/(1<<24), float64(int32(sign|1))))
	case 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | fraction<<13)
	default:
		return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
	}
}
