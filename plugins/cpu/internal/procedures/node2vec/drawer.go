package node2vec

import (
	"github.com/penstock-db/penstock/algorithms/random"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures/walks"
)

// drawer draws negative examples from a part of all vertices.
type drawer struct {
	vertices []uint32
	sums     []float64 // of the chances of the vertices
}

func (e *learning) drawersBytes() uint64 { return 12*uint64(e.N) + 48*uint64(e.Parts) }

// newDrawers has one for each part.
func (e *learning) newDrawers(counts []uint64) []drawer {
	drawers, sizes := make([]drawer, e.Parts), make([]int, e.Parts)
	for v := range e.N {
		sizes[e.Part(uint32(v))]++
	}
	for i, size := range sizes {
		drawers[i] = drawer{make([]uint32, 0, size), make([]float64, 0, size)}
	}
	for v, count := range counts {
		d := &drawers[e.Part(uint32(v))]
		sum := e.Chance(count)
		if len(d.sums) > 0 {
			sum += d.sums[len(d.sums)-1]
		}
		d.vertices, d.sums = append(d.vertices, uint32(v)), append(d.sums, sum)
	}
	return drawers
}

func (d *drawer) draw(draws *random.Draws) uint32 {
	return d.vertices[walks.Drawn(d.sums, draws.Share())]
}
