package cpu

import (
	"math"
	"slices"
	"sort"
)

// stripes finds the lists of a vertex where vertices come in no order: rows that the
// same chunks have make a stripe.
type stripes struct {
	starts []int         // of each stripe, ascending; a stripe ends where the next starts
	chunks [][]*resident // of each stripe, in order
}

func newStripes(chunks []*resident) stripes {
	starts := []int{0}
	for _, r := range chunks {
		starts = append(starts, int(r.rows.Base), int(r.rows.End()))
	}
	slices.Sort(starts)
	s := stripes{starts: slices.Compact(starts)}
	for _, start := range s.starts {
		s.chunks = append(s.chunks, overlapping(chunks, start, start+1))
	}
	return s
}

// of are the chunks that may have a list of v.
func (s stripes) of(v int) []*resident { return s.chunks[s.number(v)] }

func (s stripes) number(v int) int {
	if len(s.starts) <= 2 {
		return 0 // most graphs are one chunk
	}
	return sort.SearchInts(s.starts, v+1) - 1
}

// cursor is stripes for vertices that mostly come in order.
type cursor struct {
	stripes
	from, to int
	chunks   []*resident
}

func (c *cursor) of(v int) []*resident {
	if v < c.from || v >= c.to {
		c.seek(v)
	}
	return c.chunks
}

func (c *cursor) seek(v int) {
	i := c.number(v)
	c.from, c.to, c.chunks = c.starts[i], math.MaxInt, c.stripes.chunks[i]
	if i+1 < len(c.starts) {
		c.to = c.starts[i+1]
	}
}

// sides splits chunks into lists along the edges and lists against them; an undirected
// graph's are both.
func sides(directed bool, chunks []*resident) (out, in stripes) {
	if !directed {
		all := newStripes(chunks)
		return all, all
	}
	var along, against []*resident
	for _, r := range chunks {
		if r.out() {
			along = append(along, r)
		} else {
			against = append(against, r)
		}
	}
	return newStripes(along), newStripes(against)
}
