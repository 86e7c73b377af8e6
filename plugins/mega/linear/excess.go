package linear

import "math"

// Excess is by how much f may be above the least because one weight is not where it would be best, where g and h are
// the first and second derivatives of the losses there. With r_j the least slope of f, and w* the best weights,
//
//	f(w) − f(w*)  ≤  Σ |r_j| |w_j − w*_j|
//
// for f is convex. How far it is to w*_j nobody knows; it is taken to be as far as to 0, or as the step that would be
// best if all other weights stayed. What is added up so over features is of the weights as they are, not of how f has
// changed, which is little where steps are short.
func (p Params) Excess(weight, g, h float64) float64 {
	r := p.slope(weight, g)
	if r == 0 {
		return 0
	}
	return r * math.Max(math.Abs(weight), r/(h+p.L2))
}

// slope is the least slope of f by a weight, where that of the losses is g.
func (p Params) slope(weight, g float64) float64 {
	if g += p.L2 * weight; weight != 0 {
		return math.Abs(g + math.Copysign(p.L1, weight))
	}
	return math.Max(math.Abs(g)-p.L1, 0)
}

// looks says whether what has come of an epoch is looked at: if there is a tolerance, each time that a tenth more
// epochs have passed.
func (p Params) looks(epoch int) bool {
	const share = 1.1
	nth := func(epochs int) float64 { return math.Floor(math.Log(float64(epochs)) / math.Log(share)) }
	return p.Tolerance > 0 && nth(epoch+1) > nth(epoch)
}

// looked says that an epoch will do where it has been looked at, and what was tallied so is at most Tolerance times f,
// but for a little that may be lost where weights are kept in 32 bits.
func (p Params) looked(tally int) doneFunc {
	if p.Tolerance <= 0 {
		return nil
	}
	return func(epoch int, f float64, tallies [][]float64) bool {
		const kept = 0.999
		return p.looks(epoch) && sum(tallies, tally) <= kept*p.Tolerance*(f+p.Constant)
	}
}
