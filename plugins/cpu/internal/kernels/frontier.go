package kernels

import (
	"math"
	"math/bits"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
)

// Frontier is the vertices whose messages an iteration sends.
type Frontier struct {
	Senders []uint64 // the active set, or a part of it (in a Settle)
	All     bool     // every vertex sends
	Share   *Share   // nil: to all vertices
}

// Rows calls do for the rows of a segment that send, with the part of their edges that is in the
// segment, and leads into the share. It returns how many rows it has looked at: of those that do not
// send, one for each stretch. The next that sends is looked for in the set, a word at a time, and then
// among the rows by galloping: a chunk that is gone through again and again, for ever fewer vertices,
// costs what these are.
func (f *Frontier) Rows(r *csr.Chunk, segment int, do func(row, from, to int)) (looked int) {
	from, to, row := r.Segment(segment)
	if from >= to {
		return 0
	}
	base, last := int(r.Rows.Base), -1
	for from < to {
		v := base + r.Local(row)
		looked++
		if f.Senders[v/64]>>(v%64)&1 == 0 {
			if last < 0 {
				last = base + r.Local(r.RowOf(to-1))
			}
			if v = next(f.Senders, v+1, last); v > last {
				return looked
			}
			row = r.RowAfter(row, v-base)
			from = int(r.Offsets[row])
			continue
		}
		end := min(int(r.Offsets[row+1]), to)
		first, rest := from, end
		if f.Share != nil {
			first, rest = f.Share.edges(r, from, end)
		}
		if first < rest {
			do(row, first, rest)
		}
		row, from = row+1, end
	}
	return looked
}

// next is the first member of a set from v to last, or one beyond last.
func next(set []uint64, v, last int) int {
	if v > last {
		return v
	}
	at := v / 64
	word := set[at] & (math.MaxUint64 << (v % 64))
	for word == 0 {
		if at++; at*64 > last {
			return last + 1
		}
		word = set[at]
	}
	return at*64 + bits.TrailingZeros64(word)
}

// edges is how many edges the rows of a segment have that send.
func (f *Frontier) edges(r *csr.Chunk, segment int) (sum int) {
	f.Rows(r, segment, func(_, from, to int) { sum += to - from })
	return sum
}
