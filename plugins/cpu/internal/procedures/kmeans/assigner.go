package kmeans

import (
	"math"
	"math/bits"

	"github.com/penstock-db/penstock/algorithms/community"
	"github.com/penstock-db/penstock/plugins/cpu/internal/vector"
)

// assigner gives vertices their nearest centers, 32 at a time, for one worker.
type assigner struct {
	*lloyd
	vertices []float32       // a panel of their vectors
	near     []vector.Square // how near they are to centers, in single precision: a row for each center
	greatest [vector.Abreast]float32
	never    [vector.Abreast]float32
	found    [vector.Abreast]uint32
	nearest  [vector.Abreast]int64
	square   [vector.Abreast]float64 // of the distance from it, where there was a doubt
}

func assignerBytes(s *kmeans) uint64 {
	return 4*vector.Abreast*(uint64(s.width)+vector.Abreast*uint64(s.blocks())+8) + 256
}

func newAssigner(l *lloyd) *assigner {
	a := &assigner{lloyd: l, vertices: make([]float32, vector.Abreast*l.width), near: make([]vector.Square, l.blocks())}
	for i := range a.never {
		a.never[i] = float32(math.Inf(1))
	}
	return a
}

// rows is how many centers a block has.
func (a *assigner) rows(block int) int { return min(vector.Abreast, a.clusters-block*vector.Abreast) }

// assign gives the vertices from … to, 32 at most, the nearest center, of several the first, and tells how many have
// another than before.
func (a *assigner) assign(from, to int) (changed int) {
	vector.FillPanel(a.vertices, vector.Operand[float32]{Of: a.vectors[from*a.width:]}, to-from, a.width)
	for i := range a.greatest {
		a.greatest[i], a.nearest[i] = float32(math.Inf(-1)), -1
	}
	for block := range a.near {
		clear(a.near[block][:a.rows(block)*vector.Abreast])
		a.near[block].Squares(a.panel(block), a.vertices, a.rows(block))
		vector.MaxRows(a.greatest[:], vector.Operand[float32]{Of: a.near[block][:]}, a.rows(block))
	}
	for i, near := range a.greatest {
		a.greatest[i] = a.reach(near)
	}
	present := uint32(1<<(to-from) - 1)
	for block := range a.near {
		a.near[block].Sift(&a.found, a.rows(block), &a.never, &a.greatest)
		for r, found := range a.found[:a.rows(block)] {
			for found &= present; found != 0; found &= found - 1 {
				i := bits.TrailingZeros32(found)
				a.meet(i, from+i, int64(block*vector.Abreast+r))
			}
		}
	}
	for v := from; v < to; v++ {
		if a.community[v] != a.nearest[v-from] {
			a.community[v] = a.nearest[v-from]
			changed++
		}
	}
	return changed
}

// meet gives vertex number i, which is v, a center that may be nearest, unless it has one that is as near. Nothing is
// computed for one that has no other.
func (a *assigner) meet(i, v int, c int64) {
	if a.nearest[i] < 0 {
		a.nearest[i], a.square[i] = c, -1
		return
	}
	if a.square[i] < 0 {
		a.square[i] = community.SquaredFrom(a.vector(v), a.centerOf(int(a.nearest[i])))
	}
	if square := community.SquaredFrom(a.vector(v), a.centerOf(int(c))); square < a.square[i] {
		a.nearest[i], a.square[i] = c, square
	}
}

// reach is the least nearness, in single precision, of a center that may be as near as one of this nearness: squares
// less than 0. A distance is off by a part of it, as its terms were rounded, and by as much as the center was moved;
// and squares that are too small for single precision are 0.
func (a *assigner) reach(near float32) float32 {
	part := float64(a.width+6) * 0x1p-23
	moved := a.largest * 0x1p-23
	farthest := (math.Sqrt(-float64(near))*(1+part)+2*moved)/(1-part) + 0x1p-60
	return float32(-farthest * farthest * (1 + part) * (1 + 0x1p-23))
}
