package als

import "math"

// grams are YᵀY of both sides, as workers add them up in the context: the lower halves, row after row, each number as
// parts that are whole multiples of their units. So a sum is exact, and has the same bits in any order: of up to 2²⁷
// vertices, for products below 2⁴², to 2⁻⁶².
type grams struct{ rank int }

// units are those of the parts of a number: each has 26 bits of it, and the first what is above them.
var units = [...]float64{0x1p16, 0x1p-10, 0x1p-36, 0x1p-62}

// half is how many numbers a side has.
func (g grams) half() int { return g.rank * (g.rank + 1) / 2 }

// width is how many values the context has.
func (g grams) width() int { return 2 * g.half() * len(units) }

// side is the part of a context that is of one side.
func (g grams) side(context []float64, side int) []float64 {
	width := g.half() * len(units)
	return context[side*width:][:width]
}

// add adds y yᵀ to a side, so often.
func (g grams) add(side, y []float64, times float64) {
	at := 0
	for i, a := range y {
		for _, b := range y[:i+1] {
			x, to := a*b, (*[len(units)]float64)(side[at:])
			for k := range to {
				q := math.RoundToEven(x*(1/units[k])) * units[k]
				to[k] += times * q
				x -= q
			}
			at += len(units)
		}
	}
}

// sum brings the numbers of a side together.
func (g grams) sum(side, to []float64) {
	for i := range to {
		parts, x := side[i*len(units):][:len(units)], 0.0
		for _, part := range parts {
			x += part
		}
		to[i] = x
	}
}
