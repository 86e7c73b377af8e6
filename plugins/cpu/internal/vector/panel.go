package vector

// Abreast is how many vectors a panel has room for.
const Abreast = 32

// Square is what is computed of each pair of the vectors of two panels: a row for each of the first.
type Square [Abreast * Abreast]float32

// FillPanel sets up to 32 vectors of some width side by side: the first number of each, then the second of each. What
// stands beside them there means nothing.
func FillPanel(panel []float32, y Operand[float32], n, width int) {
	panel = panel[:Abreast*width]
	whole := 0 // numbers of each that come by eights
	if level >= AVX2 {
		whole = width / 8 * 8
	}
	if whole > 0 {
		for j := 0; j < n; j += 8 {
			var index [8]uint32
			for i := range index {
				if index[i] = uint32(min(j+i, n-1)); y.Index != nil {
					index[i] = y.Index[index[i]]
				}
				_ = y.Of[int(index[i])*width : (int(index[i])+1)*width]
			}
			fillEight(first(panel[j:]), first(y.Of), &index[0], whole/8, width)
		}
	}
	for j := 0; j < n && whole < width; j++ {
		for k, x := range y.row(j, width)[whole:] {
			panel[(whole+k)*Abreast+j] = x
		}
	}
}

// Products adds the scalar products of the first vectors of p with all of q. That of two vectors has the same bits
// wherever they stand, and in either order.
func (s *Square) Products(p, q []float32, rows int) {
	AddProduct(s[:], Abreast, p, 1, Abreast, q, Abreast, rows, Abreast, len(q)/Abreast)
}

// Squares subtracts the squares of the distances of the first vectors of p from all of q, likewise.
func (s *Square) Squares(p, q []float32, rows int) {
	k := len(q) / Abreast
	p = p[:len(q)]
	if level >= AVX2 {
		subtractSquares(&s[0], first(p), first(q), rows, k)
		return
	}
	for r := range rows {
		to := s[r*Abreast:][:Abreast]
		for i := range k {
			x := p[i*Abreast+r]
			for j, y := range q[i*Abreast:][:Abreast] {
				d := x - y
				to[j] -= d * d
			}
		}
	}
}

// Sift finds, in the first rows, the numbers that are at least what is asked for in their row or in their column: bit j
// of a row is that of its number j.
func (s *Square) Sift(found *[Abreast]uint32, rows int, ofRow, ofColumn *[Abreast]float32) {
	if level >= AVX2 {
		sift(&found[0], &s[0], rows, &ofRow[0], &ofColumn[0])
		return
	}
	for r := range rows {
		found[r] = 0
		for j, x := range s[r*Abreast:][:Abreast] {
			if x >= min(ofRow[r], ofColumn[j]) {
				found[r] |= 1 << j
			}
		}
	}
}
