package kernels

import (
	"sort"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
)

// Share is the vertices [from, to) that a program sees to, of several devices' program: it sends
// to them alone, and Apply gives a state to nobody else.
type Share struct{ From, To int }

// Clip is what of the vertices [from, to) is in the share.
func (s *Share) Clip(from, to int) (int, int) { return max(from, s.From), min(to, s.To) }

// edges are, of the edges [from, to) of a row of r, those that lead into the share: columns ascend.
func (s *Share) edges(r *csr.Chunk, from, to int) (int, int) {
	base := int(r.Cols.Base)
	list := r.Neighbors[from:to]
	return from + csr.CountBelow(list, s.From-base), from + csr.CountBelow(list, s.To-base)
}

// hasRows tells whether a row of a segment may be in the share.
func (s *Share) hasRows(r *csr.Chunk, segment int) bool {
	_, to, row := r.Segment(segment)
	end := sort.Search(len(r.Offsets), func(i int) bool { return int(r.Offsets[i]) >= to })
	base := int(r.Rows.Base)
	return base+r.Local(row) < s.To && base+r.Local(end-1) >= s.From
}
