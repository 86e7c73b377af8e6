package cpu

import (
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
)

// frontier is the vertices whose messages an iteration sends.
type frontier struct {
	senders []uint64  // the active set, or a part of it (settle.go)
	all     bool      // every vertex sends
	share   *ownShare // nil: to all vertices
}

// rows calls do for the rows of a segment that send, with the part of their edges
// that is in the segment, and leads into the share.
func (f *frontier) rows(r *csr.Chunk, segment int, do func(row, from, to int)) {
	from, to, row := r.Segment(segment)
	base := int(r.Rows.Base)
	for from < to {
		v := base + r.Local(row)
		waiting := f.senders[v/64] >> (v % 64)
		if waiting&1 == 0 {
			row += r.IdleRows(waiting, v, row)
			from = int(r.Offsets[min(row, len(r.Offsets)-1)])
			continue
		}
		end := min(int(r.Offsets[row+1]), to)
		first, last := from, end
		if f.share != nil {
			first, last = f.share.edges(r, from, end)
		}
		if first < last {
			do(row, first, last)
		}
		row, from = row+1, end
	}
}

// edges is how many edges the rows of a segment have that send.
func (f *frontier) edges(r *csr.Chunk, segment int) (sum int) {
	f.rows(r, segment, func(_, from, to int) { sum += to - from })
	return sum
}
