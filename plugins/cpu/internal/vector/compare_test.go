package vector

import (
	"math"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// Comparisons of rows are what float64 gives, the same whichever row comes first, and nothing beside them is written.
func TestCompare(t *testing.T) {
	r := testseed.Rand(t)
	for range 300 {
		const rows = 30
		n, width := r.IntN(rows+1), 1+r.IntN(80)
		y := Operand[float32]{Of: normal(r, rows*width)}
		if r.IntN(2) == 0 {
			for range n {
				y.Index = append(y.Index, uint32(r.IntN(rows)))
			}
		}
		x := normal(r, width)
		for _, l := range Levels() {
			At(l, func() {
				for name, compare := range map[string]func([]float32, []float32, Operand[float32], int){"dots": Dots,
					"squares": Squares} {
					to := make([]float32, n+8)
					compare(to, x, y, n)
					for e, got := range to {
						want, terms := 0.0, 0.0
						for k := range width {
							if e >= n {
								break
							}
							a, b := float64(x[k]), float64(y.row(e, width)[k])
							term := a * b
							if name == "squares" {
								term = (a - b) * (a - b)
							}
							want, terms = want+term, terms+math.Abs(term)
						}
						if math.Abs(float64(got)-want) > terms*float64(width+2)*0x1p-24 {
							t.Fatalf("%v, %s: row %d of %d, width %d: %v; expected %v", l, name, e, n, width, got, want)
						}
						if e < n {
							var back [1]float32
							compare(back[:], y.row(e, width), Operand[float32]{Of: x}, 1)
							if back[0] != got {
								t.Fatalf("%v, %s: %v, and %v the other way round", l, name, got, back[0])
							}
						}
					}
				}
			})
		}
	}
}
