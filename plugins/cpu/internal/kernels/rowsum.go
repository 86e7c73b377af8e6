package kernels

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/internal/shape"
)

// RowSum sums rows one by one, in the order in which segments are.
type RowSum struct {
	fold    fold[float64, float64]
	weights int // among the program's edge columns; -1: none
}

// NewRowSum is for messages that a weight changes, if any.
func NewRowSum(w shape.Weighting, weights int) RowSum {
	return RowSum{floatFold(algorithms.Sum, w), weights}
}

// Add adds to start what the edges [from, to) of a row of r bring.
func (s RowSum) Add(start float64, messages []float64, r *csr.Chunk, from, to int) float64 {
	sent, weights := messages[r.Cols.Base:r.Cols.End()], r.WeightsOf(s.weights)
	for from < to {
		end := min(r.SegmentEnd(from), to)
		start = s.fold(start, sent, r.Neighbors[from:end], part(weights, from, end))
		from = end
	}
	return start
}

// AddRows adds to sums of vertices, the first of which is base, what their rows in r bring. It returns
// how many edges they have.
func (s RowSum) AddRows(sums, messages []float64, r *csr.Chunk, base int) (edges int) {
	first, end := r.RowsWithin(base, base+len(sums))
	for row := first; row < end; row++ {
		if from, to := int(r.Offsets[row]), int(r.Offsets[row+1]); from < to {
			sum := &sums[int(r.Rows.Base)+r.Local(row)-base]
			*sum = s.Add(*sum, messages, r, from, to)
			edges += to - from
		}
	}
	return edges
}
