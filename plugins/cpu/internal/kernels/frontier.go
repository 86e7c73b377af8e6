package kernels

import (
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
)

// Frontier is the vertices whose messages an iteration sends.
type Frontier struct {
	Senders []uint64 // the active set, or a part of it (settle.go)
	All     bool     // every vertex sends
	Share   *Share   // nil: to all vertices
}

// Rows calls do for the rows of a segment that send, with the part of their edges
// that is in the segment, and leads into the share.
func (f *Frontier) Rows(r *csr.Chunk, segment int, do func(row, from, to int)) {
	from, to, row := r.Segment(segment)
	base := int(r.Rows.Base)
	for from < to {
		v := base + r.Local(row)
		waiting := f.Senders[v/64] >> (v % 64)
		if waiting&1 == 0 {
			row += r.IdleRows(waiting, v, row)
			from = int(r.Offsets[min(row, len(r.Offsets)-1)])
			continue
		}
		end := min(int(r.Offsets[row+1]), to)
		first, last := from, end
		if f.Share != nil {
			first, last = f.Share.edges(r, from, end)
		}
		if first < last {
			do(row, first, last)
		}
		row, from = row+1, end
	}
}

// edges is how many edges the rows of a segment have that send.
func (f *Frontier) edges(r *csr.Chunk, segment int) (sum int) {
	f.Rows(r, segment, func(_, from, to int) { sum += to - from })
	return sum
}
