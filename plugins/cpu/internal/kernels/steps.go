package kernels

import (
	"math"

	"github.com/penstock-db/penstock/plugins/cpu/internal/compile"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// Steps is by how much the edges of a chunk make their senders' values worse.
type Steps struct{ of *PerEdge }

// NewSteps is nil where the form of the program tells no more than that, and where a weight is all that it adds.
func NewSteps(p *compile.Code) *Steps {
	if p.Steps.By == nil || p.Process.Lengthens(p.Spec) {
		return nil
	}
	return &Steps{NewPerEdge(p, p.Steps.By)}
}

// Size in bytes.
func (s *Steps) Size() uint64 {
	if s == nil {
		return 0
	}
	return s.of.Size()
}

// Least is the smallest step, NaN if one is no number; an infinite one, after which a value could be none, counts as
// -infinity.
func (s *Steps) Least(r *csr.Chunk) float64 {
	least := math.Inf(1)
	for segment := range r.Segments() {
		for at, to, row := r.Segment(segment); at < to; {
			block := min(at+vector.Width, to)
			for _, step := range s.of.Values(r, row, at, block).Floats {
				if math.IsInf(step, 1) {
					step = math.Inf(-1)
				}
				least = min(least, step)
			}
			for at = block; at < to && int(r.Offsets[row+1]) <= at; {
				row++
			}
		}
	}
	return least
}
