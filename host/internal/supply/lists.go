package supply

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
)

// Lists are those of all vertices in the chunks of one direction, to be looked at one by one. A chunk is read when one
// of its lists is first looked at, and stays (see View). One goroutine uses them.
type Lists struct {
	supply *Supply
	open   []opened
	last   int // the chunk that was looked at
}

// opened is a chunk that has been read, or its rows alone.
type opened struct {
	rows      chunk.Interval
	chunk     *chunk.Chunk // nil: not yet
	vertices  []uint32
	offsets   []int32
	neighbors []uint32
	base      uint64 // of the neighbors
	// numbers are those of an edge column, which was asked for.
	numbers func(edge int) float64
}

// Lists are those of the chunks that are supplied, whose rows ascend.
func (s *Supply) Lists() *Lists {
	l := &Lists{supply: s}
	for _, c := range s.chunks {
		l.open = append(l.open, opened{rows: c.Info.Rows})
	}
	return l
}

// Of is the list of a vertex, local to a base; there may be none.
func (l *Lists) Of(ctx context.Context, v uint64) (neighbors []uint32, base uint64, err error) {
	c, from, to, err := l.seek(ctx, v)
	if c == nil || err != nil {
		return nil, 0, err
	}
	return c.neighbors[from:to], c.base, nil
}

// Weighted is Of, with what an edge column of numbers says of the edge to each neighbor. It is always the same column.
func (l *Lists) Weighted(ctx context.Context, v uint64, column string) (neighbors []uint32, weight func(i int) float64,
	base uint64, err error) {
	c, from, to, err := l.seek(ctx, v)
	if c == nil || err != nil {
		return nil, nil, 0, err
	}
	if c.numbers == nil {
		var ok bool
		if c.numbers, ok = c.chunk.Number(column); !ok {
			return nil, nil, 0, fmt.Errorf("the chunk of vertex %d has no numbers of property %s", v, column)
		}
	}
	return c.neighbors[from:to], func(i int) float64 { return c.numbers(int(from) + i) }, c.base, nil
}

// seek is the chunk with v's list, and where the list lies; nil: there is none.
func (l *Lists) seek(ctx context.Context, v uint64) (c *opened, from, to int32, err error) {
	if c = l.find(v); c == nil {
		return nil, 0, 0, nil
	}
	if c.chunk == nil {
		if err := l.read(ctx, c); err != nil {
			return nil, 0, 0, err
		}
	}
	row := int(v - c.rows.Base)
	if c.vertices != nil {
		at, ok := slices.BinarySearch(c.vertices, uint32(row))
		if !ok {
			return nil, 0, 0, nil
		}
		row = at
	}
	return c, c.offsets[row], c.offsets[row+1], nil
}

// Longest is how long the longest list is. It reads all chunks.
func (l *Lists) Longest(ctx context.Context) (edges int, err error) {
	for l.last = range l.open {
		c := &l.open[l.last]
		if c.chunk == nil {
			if err := l.read(ctx, c); err != nil {
				return edges, err
			}
		}
		edges = max(edges, c.chunk.Stats().MaxDegree)
	}
	return edges, nil
}

// find is the chunk that has a vertex among its rows; nil: none has.
func (l *Lists) find(v uint64) *opened {
	if l.last < len(l.open) {
		if c := &l.open[l.last]; c.rows.Has(v) {
			return c
		}
	}
	i := sort.Search(len(l.open), func(i int) bool { return l.open[i].rows.End() > v })
	if i == len(l.open) || v < l.open[i].rows.Base {
		return nil
	}
	l.last = i
	return &l.open[i]
}

func (l *Lists) read(ctx context.Context, c *opened) error {
	view, _, err := l.supply.View(ctx, l.last)
	if err == nil {
		*c = opened{rows: c.rows, chunk: view, vertices: view.Vertices(), offsets: view.Offsets(),
			neighbors: view.Neighbors(), base: view.Meta().Cols.Base}
	}
	return err
}

// Take takes the lists of some vertices, a bitmap over the graph, all of which have been looked at.
func (l *Lists) Take(some []uint64) (parts []cut.Selection) {
	for _, c := range l.open {
		if c.chunk == nil {
			continue
		}
		first := c.rows.Base / 64
		if part := cut.Select(c.chunk, some[first:], first*64, chunk.Places{}); part.Edges() > 0 {
			parts = append(parts, part)
		}
	}
	return parts
}
