package csr

import (
	"iter"
	"slices"

	"github.com/penstock-db/penstock/formats/chunk"
)

// Overlapping are the chunks with rows in [from, to).
func Overlapping(chunks []*Chunk, from, to int) []*Chunk {
	var near []*Chunk
	for _, r := range chunks {
		if int(r.Rows.Base) < to && from < int(r.Rows.End()) {
			near = append(near, r)
		}
	}
	return near
}

// List is the part of v's list that r has, local to r.Cols.
func (r *Chunk) List(v int) []uint32 {
	row := v - int(r.Rows.Base)
	if row < 0 || row >= int(r.Rows.Count) {
		return nil
	}
	if r.Vertices != nil {
		at, found := slices.BinarySearch(r.Vertices, uint32(row))
		if !found {
			return nil
		}
		row = at
	}
	return r.Neighbors[r.Offsets[row]:r.Offsets[row+1]]
}

// ColsEnd is r.Cols.End(), to be inlined: Go does not inline methods of types from packages that
// the caller does not import.
func (r *Chunk) ColsEnd() uint64 { return r.Cols.Base + r.Cols.Count }

// Entries is the length of all lists together.
func Entries(chunks []*Chunk) (sum uint64) {
	for _, r := range chunks {
		sum += uint64(len(r.Neighbors))
	}
	return sum
}

// Out tells whether r's lists lead along the edges; an undirected graph's do.
func (r *Chunk) Out() bool { return r.direction != chunk.In }

// Distinct is what r lists of v, which ascends, but v and repetitions.
func (r *Chunk) Distinct(v int) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		base, last := uint32(r.Cols.Base), uint32(v)
		for _, local := range r.List(v) {
			if u := base + local; u != last && u != uint32(v) {
				if last = u; !yield(u) {
					return
				}
			}
		}
	}
}

// EdgeRange are the edges of v in r, from and to.
func (r *Chunk) EdgeRange(v int) (from, to int) {
	_, from, to = r.Row(v)
	return from, to
}

// Row is the row of v in r, and its edges, from and to; they are none where r has no such row.
func (r *Chunk) Row(v int) (row, from, to int) {
	row = v - int(r.Rows.Base)
	if uint(row) >= uint(r.Rows.Count) {
		return 0, 0, 0
	}
	if r.Vertices != nil {
		at, found := slices.BinarySearch(r.Vertices, uint32(row))
		if !found {
			return 0, 0, 0
		}
		row = at
	}
	return row, int(r.Offsets[row]), int(r.Offsets[row+1])
}

// RowFrom is the first row of a vertex, local to rows, or a later one.
func (r *Chunk) RowFrom(local int) int {
	if r.Vertices == nil {
		return local
	}
	row, _ := slices.BinarySearch(r.Vertices, uint32(local))
	return row
}

// RowsWithin are the rows of vertices in [from, to), from first to end.
func (r *Chunk) RowsWithin(from, to int) (first, end int) {
	base := int(r.Rows.Base)
	from, to = max(from, base), min(to, int(r.Rows.End()))
	if from >= to {
		return 0, 0
	}
	return r.RowFrom(from - base), r.RowFrom(to - base)
}

// Advance goes on from row to that of a later vertex, and tells whether it has one.
func (r *Chunk) Advance(row, local int) (int, bool) {
	if r.Vertices == nil {
		return local, true
	}
	for row < len(r.Vertices) && int(r.Vertices[row]) < local {
		row++
	}
	return row, row < len(r.Vertices) && int(r.Vertices[row]) == local
}

// RowAfter is the first row beyond row of a vertex, local to rows, or of a later one. It gallops, so
// that a near one costs little.
func (r *Chunk) RowAfter(row, local int) int {
	if r.Vertices == nil {
		return local
	}
	step := 1
	for row+step < len(r.Vertices) && int(r.Vertices[row+step]) < local {
		row, step = row+step, 2*step
	}
	rest := r.Vertices[row+1 : min(row+step+1, len(r.Vertices))]
	return row + 1 + CountBelow(rest, local)
}

// CountBelow is how many of an ascending list are less than bound.
func CountBelow(list []uint32, bound int) int {
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
