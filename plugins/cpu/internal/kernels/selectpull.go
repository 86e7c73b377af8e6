package kernels

import (
	"github.com/penstock-db/penstock/plugins/cpu/internal/compile"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
)

// selectGather is gather for a program with a gate.
type selectGather struct {
	gate     *compile.Selection
	acc      *Accumulators
	messages *[]float64 // where the condition does not hold
}

func (k *selectGather) Name() string         { return "fused: message by target" }
func (k *selectGather) Size() uint64         { return 0 }
func (k *selectGather) combine(r *csr.Chunk) { combineHeads[float64](k.acc, r) }

func (k *selectGather) step(_ int, r *csr.Chunk, s int) uint64 {
	from, to, row := r.Segment(s)
	first, begun := from, int(r.Offsets[row]) < from
	acc := k.acc.Sums.Floats[r.Rows.Base:r.Rows.End()]
	for from < to {
		sent, stop := k.alike(r, row, to)
		switch end := min(int(r.Offsets[row+1]), to); {
		case begun:
			k.acc.heads.Floats[r.FirstHead+s] = gatherSum(0.0, sent, r.Neighbors[from:end], nil)
			row, from, begun = row+1, end, false
		case stop > row:
			sumRows(acc, sent, r, row, stop)
			row, from = stop, int(r.Offsets[stop])
		default:
			v := r.Local(row)
			acc[v] = gatherSum(acc[v], sent, r.Neighbors[from:end], nil)
			from = end
		}
	}
	return uint64(to - first)
}

// alike is what row hears, and up to where rows that end by to hear the same.
func (k *selectGather) alike(r *csr.Chunk, row, to int) (messages []float64, stop int) {
	g, base := k.gate, r.Rows.Base
	open := g.Holds(base + uint64(r.Local(row)))
	for stop = row; stop+1 < len(r.Offsets) && int(r.Offsets[stop+1]) <= to; stop++ {
		if g.Holds(base+uint64(r.Local(stop))) != open {
			break
		}
	}
	if open {
		return g.Messages[r.Cols.Base:r.Cols.End()], stop
	}
	return (*k.messages)[r.Cols.Base:r.Cols.End()], stop
}
