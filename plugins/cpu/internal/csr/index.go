package csr

import (
	"math"
	"slices"
	"sort"
)

// Index finds the lists of a vertex where vertices come in no order. Vertices are cut into
// ranges, in each of which the same chunks have rows.
type Index struct {
	starts []int      // of each range, ascending; a range ends where the next starts
	chunks [][]*Chunk // of each range, in order
}

// NewIndex looks at the rows of each chunk.
func NewIndex(chunks []*Chunk) Index {
	starts := []int{0}
	for _, r := range chunks {
		starts = append(starts, int(r.Rows.Base), int(r.Rows.End()))
	}
	slices.Sort(starts)
	s := Index{starts: slices.Compact(starts)}
	for _, start := range s.starts {
		s.chunks = append(s.chunks, Overlapping(chunks, start, start+1))
	}
	return s
}

// Of are the chunks that may have a list of v.
func (s Index) Of(v int) []*Chunk { return s.chunks[s.number(v)] }

// Part is what the i-th of these chunks has of v's list, local to a base; ok is false where there are no more.
func (s Index) Part(v uint32, i int) (neighbors []uint32, base uint32, ok bool) {
	chunks := s.Of(int(v))
	if i >= len(chunks) {
		return nil, 0, false
	}
	return chunks[i].List(int(v)), uint32(chunks[i].Cols.Base), true
}

func (s Index) number(v int) int {
	if len(s.starts) <= 2 {
		return 0 // most graphs are one chunk
	}
	return sort.SearchInts(s.starts, v+1) - 1
}

// Cursor is an Index for vertices that mostly come in order.
type Cursor struct {
	Index
	from, to int
	chunks   []*Chunk
}

// Of are the chunks that may have a list of v.
func (c *Cursor) Of(v int) []*Chunk {
	if v < c.from || v >= c.to {
		c.seek(v)
	}
	return c.chunks
}

func (c *Cursor) seek(v int) {
	i := c.number(v)
	c.from, c.to, c.chunks = c.starts[i], math.MaxInt, c.Index.chunks[i]
	if i+1 < len(c.starts) {
		c.to = c.starts[i+1]
	}
}

// Sides splits chunks into lists along the edges and lists against them; an undirected
// graph's are both.
func Sides(directed bool, chunks []*Chunk) (out, in Index) {
	if !directed {
		all := NewIndex(chunks)
		return all, all
	}
	var along, against []*Chunk
	for _, r := range chunks {
		if r.Out() {
			along = append(along, r)
		} else {
			against = append(against, r)
		}
	}
	return NewIndex(along), NewIndex(against)
}

// EitherWay are the indexes whose lists together have all edges of a vertex, whichever way these lead.
func EitherWay(directed bool, chunks []*Chunk) []Index {
	out, in := Sides(directed, chunks)
	if !directed {
		return []Index{out}
	}
	return []Index{out, in}
}
