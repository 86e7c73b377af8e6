package vector

import (
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// The sums of sections come to the bits of rows that are scattered section by section, and added up, however wide rows
// are, however many sections have none, and in one go or some rows at a time; nothing beside the sums is written.
func TestAddSections(t *testing.T) {
	r := testseed.Rand(t)
	for range 400 {
		width, sections := 1+r.IntN(150), 1+r.IntN(5)
		y, of := normal(r, 30*width), make([]uint8, 30)
		for i := range of {
			of[i] = uint8(i * sections / len(of))
		}
		var rows []uint32
		for v := range uint32(30) {
			for range r.IntN(2) * r.IntN(3) {
				rows = append(rows, v)
			}
		}
		values, half := normal(r, len(rows)), r.IntN(len(rows)+1)
		for _, l := range Levels() {
			At(l, func() {
				want, got, again := make([]float32, width+8), make([]float32, width+8), make([]float32, width+8)
				for k := range uint8(sections) {
					section := make([]float32, width)
					for e, v := range rows {
						if of[v] == k {
							Scatter(section, []uint32{0}, values[e:e+1], y[int(v)*width:][:width])
						}
					}
					for j, a := range section {
						want[j] += a
					}
				}
				section := make([]float32, width+8)
				AddSections(got[:width], section, y, rows, values, of, 0, false)
				rest := make([]float32, width+8)
				last := AddSections(again[:width], rest, y, rows[:half], values, of, 0, true)
				AddSections(again[:width], rest, y, rows[half:], values[half:], of, last, false)
				if !slices.Equal(got, want) || !slices.Equal(again, want) || slices.Max(section[width:]) != 0 ||
					slices.Max(rest[width:]) != 0 {
					t.Fatalf("%v, rows of %d, %d sections: %v at once, %v after %d of %d; expected %v", l, width, sections, got, again,
						half, len(rows), want)
				}
			})
		}
	}
}
