package cpu

import (
	"iter"
	"math/bits"
	"slices"

	"github.com/penstock-db/penstock/formats/chunk"
)

// overlapping are the chunks with rows in [from, to).
func overlapping(chunks []*resident, from, to int) []*resident {
	var near []*resident
	for _, r := range chunks {
		if int(r.rows.Base) < to && from < int(r.rows.End()) {
			near = append(near, r)
		}
	}
	return near
}

// list is the part of v's list that r has, local to r.cols.
func (r *resident) list(v int) []uint32 {
	row := v - int(r.rows.Base)
	if row < 0 || row >= int(r.rows.Count) {
		return nil
	}
	if r.vertices != nil {
		at, found := slices.BinarySearch(r.vertices, uint32(row))
		if !found {
			return nil
		}
		row = at
	}
	return r.neighbors[r.offsets[row]:r.offsets[row+1]]
}

// entries is the length of all lists together.
func entries(chunks []*resident) (sum uint64) {
	for _, r := range chunks {
		sum += uint64(len(r.neighbors))
	}
	return sum
}

// out tells whether r's lists lead along the edges; an undirected graph's do.
func (r *resident) out() bool { return r.direction != chunk.In }

// distinct is what r lists of v, which ascends, but v and repetitions.
func (r *resident) distinct(v int) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		base, last := uint32(r.cols.Base), uint32(v)
		for _, local := range r.list(v) {
			if u := base + local; u != last && u != uint32(v) {
				if last = u; !yield(u) {
					return
				}
			}
		}
	}
}

// edgesOf are the edges of v in r, from and to.
func (r *resident) edgesOf(v int) (from, to int) {
	local := v - int(r.rows.Base)
	if uint(local) >= uint(r.rows.Count) {
		return 0, 0
	}
	if r.vertices != nil {
		row, found := slices.BinarySearch(r.vertices, uint32(local))
		if !found {
			return 0, 0
		}
		local = row
	}
	return int(r.offsets[local]), int(r.offsets[local+1])
}

// rowFrom is the first row of a vertex, local to rows, or a later one.
func (r *resident) rowFrom(local int) int {
	if r.vertices == nil {
		return local
	}
	row, _ := slices.BinarySearch(r.vertices, uint32(local))
	return row
}

// advance goes on from row to that of a later vertex, and tells whether it has one.
func (r *resident) advance(row, local int) (int, bool) {
	if r.vertices == nil {
		return local, true
	}
	for row < len(r.vertices) && int(r.vertices[row]) < local {
		row++
	}
	return row, row < len(r.vertices) && int(r.vertices[row]) == local
}

// idleRows is how many rows may be skipped when that of v, the lowest of waiting, is idle.
func (r *resident) idleRows(waiting uint64, v, row int) int {
	idle := min(bits.TrailingZeros64(waiting), 64-v%64)
	if r.vertices == nil {
		return idle
	}
	return below(r.vertices[row:min(row+idle, len(r.vertices))], v-int(r.rows.Base)+idle)
}

// below is how many of an ascending list are less than bound.
func below(list []uint32, bound int) int {
	if len(list) == 0 || int(list[0]) >= bound {
		return 0
	}
	if int(list[len(list)-1]) < bound {
		return len(list)
	}
	at := 0
	for n := len(list); n > 1; {
		half := n / 2
		if int(list[at+half]) < bound {
			at += half
		}
		n -= half
	}
	return at + 1
}
