package core

import (
	"math/bits"

	"github.com/penstock-db/penstock/formats/chunk"
)

// gridSide is how many blocks a Grid has along a side, at most: 2 MiB of counts.
const gridSide = 512

// Grid counts edges between blocks of consecutive vertices, to find the interval of a size with most edges inside.
// Where the graph is stored by communities (store.OrderRabbit) that is one of them, or several neighbors: the order
// puts what belongs together side by side (Arai et al., "Rabbit Order", IPDPS'16).
type Grid struct {
	vertices uint64
	shift    int // a block has 1<<shift vertices
	side     int
	edges    []uint64 // of each pair of blocks
}

// NewGrid is an empty one.
func NewGrid(vertices uint64) *Grid {
	g := &Grid{vertices: vertices, shift: max(0, bits.Len64(vertices)-bits.Len64(gridSide-1))}
	g.side = int((vertices + 1<<g.shift - 1) >> g.shift)
	g.edges = make([]uint64, g.side*g.side)
	return g
}

// Add counts the edges of a chunk.
func (g *Grid) Add(c *chunk.Chunk) {
	base := c.Meta().Cols.Base
	for v, list := range c.Lists() {
		counts := g.edges[int(v>>g.shift)*g.side:]
		for _, n := range list {
			counts[(base+uint64(n))>>g.shift]++
		}
	}
}

// Densest is the interval of at most so many vertices, in whole blocks but at least one, that has most edges inside, of
// equals the first, and how many these are.
func (g *Grid) Densest(vertices uint64) (best chunk.Interval, edges uint64) {
	sums := g.sums()
	wide := min(g.side, max(1, int(vertices>>g.shift)))
	for from := 0; from+wide <= g.side; from++ {
		to := from + wide
		at := func(row, col int) uint64 { return sums[row*(g.side+1)+col] }
		if inside := at(to, to) - at(from, to) - at(to, from) + at(from, from); best.Count == 0 || inside > edges {
			best.Base, edges = uint64(from)<<g.shift, inside
			best.Count = min(uint64(to)<<g.shift, g.vertices) - best.Base
		}
	}
	return best, edges
}

// sums are the edges of all blocks before a row and a column: a summed-area table (Crow, 1984).
func (g *Grid) sums() []uint64 {
	width := g.side + 1
	sums := make([]uint64, width*width)
	for row := range g.side {
		line := uint64(0)
		for col := range g.side {
			line += g.edges[row*g.side+col]
			sums[(row+1)*width+col+1] = sums[row*width+col+1] + line
		}
	}
	return sums
}
