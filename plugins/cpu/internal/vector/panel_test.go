package vector

import (
	"math"
	"math/bits"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// What panels compute of pairs of vectors is what float64 gives, with the same bits in either order and, of AVX2 and
// AVX-512, at either level; rows beyond those that are asked for stay as they are.
func TestPanel(t *testing.T) {
	r := testseed.Rand(t)
	for range 100 {
		const room = 50
		width, n, m := 1+r.IntN(100), 1+r.IntN(Abreast), 1+r.IntN(Abreast)
		x, y := Operand[float32]{Of: normal(r, room*width)}, Operand[float32]{Of: normal(r, room*width)}
		for range m {
			y.Index = append(y.Index, uint32(r.IntN(room)))
		}
		var before [3][2]Square
		for _, l := range Levels() {
			At(l, func() {
				p, q := normal(r, Abreast*width), normal(r, Abreast*width)
				FillPanel(p, x, n, width)
				FillPanel(q, y, m, width)
				for i, compute := range []func(s *Square, p, q []float32, rows int){(*Square).Products, (*Square).Squares} {
					there, back := new(Square), new(Square)
					compute(there, p, q, n)
					compute(back, q, p, m)
					for e, got := range there {
						row, column := e/Abreast, e%Abreast
						switch {
						case row >= n && got != 0:
							t.Fatalf("%v: row %d of %d is written", l, row, n)
						case row >= n || column >= m:
							there[e] = 0
							continue
						}
						want, terms := pairOf(i == 1, x.row(row, width), y.row(column, width))
						if math.Abs(float64(got)-want) > terms*float64(width+3)*0x1p-24 {
							t.Fatalf("%v: %d of %d by %d, width %d, is %v; expected %v", l, e, n, m, width, got, want)
						}
						if back[column*Abreast+row] != got {
							t.Fatalf("%v: %v, and %v the other way round", l, got, back[column*Abreast+row])
						}
					}
					if before[l][i] = *there; l == AVX512 && before[AVX2][i] != *there {
						t.Fatalf("AVX2 and AVX-512 differ, width %d", width)
					}
				}
			})
		}
	}
}

// pairOf is a scalar product, or the square of a distance, less than 0; and the sum of the sizes of its terms.
func pairOf(square bool, x, y []float32) (sum, terms float64) {
	for k := range x {
		a, b := float64(x[k]), float64(y[k])
		term := a * b
		if square {
			term = -(a - b) * (a - b)
		}
		sum, terms = sum+term, terms+math.Abs(term)
	}
	return sum, terms
}

// Sift finds a number where it is as large as its row or its column asks for.
func TestSquare_Sift(t *testing.T) {
	r := testseed.Rand(t)
	for range 100 {
		var s Square
		var ofRow, ofColumn [Abreast]float32
		for _, some := range [][]float32{s[:], ofRow[:], ofColumn[:]} {
			for i := range some {
				some[i] = float32(r.IntN(9) - 4)
			}
		}
		ofRow[r.IntN(Abreast)], ofColumn[r.IntN(Abreast)] = float32(math.Inf(1)), float32(math.Inf(-1))
		rows := r.IntN(Abreast + 1)
		for _, l := range Levels() {
			At(l, func() {
				var found [Abreast]uint32
				s.Sift(&found, rows, &ofRow, &ofColumn)
				for e, x := range s {
					row, column := e/Abreast, e%Abreast
					want := row < rows && (x >= ofRow[row] || x >= ofColumn[column])
					if got := found[row]>>column&1 == 1; got != want {
						t.Fatalf("%v: %v of row %d, column %d is found: %v", l, x, row, column, got)
					}
				}
				if rows < Abreast && bits.OnesCount32(found[rows]) > 0 {
					t.Fatalf("%v: row %d of %d is written", l, rows, rows)
				}
			})
		}
	}
}
