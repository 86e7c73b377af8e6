package model

import "math"

// survey is what is known of the weights before a matrix is made of them.
type survey struct {
	least, largest float64 // +Inf and -Inf where there are no edges
	numbers        bool    // none is infinite or NaN
	whole          bool    // all are whole numbers
	signed         bool    // a 0 has a sign, which the runtime's minima and maxima do not look at
}

func isSigned(x float64) bool { return x == 0 && math.Signbit(x) }

func (b *building) survey() survey {
	s := survey{least: math.Inf(1), largest: math.Inf(-1), numbers: true, whole: true}
	for r := range b.edges {
		for _, w := range r.Weights[0] {
			s.least, s.largest = min(s.least, w), max(s.largest, w)
			s.numbers = s.numbers && w-w == 0
			s.whole = s.whole && w == math.Trunc(w)
			s.signed = s.signed || isSigned(w)
		}
	}
	return s
}
