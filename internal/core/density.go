package core

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"

	"github.com/penstock-db/penstock/formats/chunk"
)

// Candidate is a set of vertices whose edges among each other a dense device might be given.
type Candidate struct {
	Vertices uint64 `json:"vertices"`
	// Linked are those with at least one edge inside: the rows of the matrix, when empty ones
	// are left out.
	Linked  uint64 `json:"linked"`
	Entries uint64 `json:"entries"` // of lists, that stay inside: an undirected edge has two, a loop one
	Cells   uint64 `json:"cells"`   // of the matrix that are not empty: parallel edges share one
}

// Density is how much of the matrix of those who are linked is not empty.
func (c Candidate) Density() float64 {
	if c.Linked == 0 {
		return 0
	}
	return float64(c.Cells) / float64(c.Linked) / float64(c.Linked)
}

// Sizes are how many of the vertices these shares of them are, rounded up.
func Sizes(vertices uint64, shares ...float64) []uint64 {
	sizes := make([]uint64, len(shares))
	for i, share := range shares {
		most := math.Ceil(share*float64(vertices) - 1e-6) // 0.07 of 100 is 7.000000000000001
		sizes[i] = min(uint64(max(most, 0)), vertices)
	}
	return sizes
}

// Count counts what is inside of candidates, each of which is the sizes[i] vertices of the
// lowest rank, in one pass. The chunks are those of one direction, whichever it is; their
// lists ascend.
func Count(ctx context.Context, chunks iter.Seq2[*chunk.Chunk, error], rank []uint32, sizes []uint64) ([]Candidate,
	error) {
	counter := NewCounter(rank, sizes)
	for c, err := range chunks {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		counter.Add(c)
	}
	return counter.Candidates(), nil
}

// Counter is Count for who has more to do with each chunk. It takes two bytes a vertex.
//
// A candidate has all vertices of a smaller one, so that each vertex is in the first so many
// of them by descending size: its level. An edge is inside those that both its ends are in.
type Counter struct {
	sizes   []uint64
	order   []int // of the sizes, descending
	level   []uint8
	deepest []uint8 // by vertex: the highest level of its edges
	// entries are by level, parallel those that have the cell of the one before.
	entries, parallel [math.MaxUint8 + 1]uint64
}

// NewCounter is for at most 255 candidates.
func NewCounter(rank []uint32, sizes []uint64) *Counter {
	c := &Counter{sizes: sizes, level: make([]uint8, len(rank)), deepest: make([]uint8, len(rank))}
	for i := range sizes {
		c.order = append(c.order, i)
	}
	slices.SortStableFunc(c.order, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	for v, at := range rank {
		c.level[v] = c.levelOf(at)
	}
	return c
}

func (c *Counter) levelOf(rank uint32) uint8 {
	for level, i := range c.order {
		if uint64(rank) >= c.sizes[i] {
			return uint8(level)
		}
	}
	return uint8(len(c.order))
}

// noVertex is the number of none: graphs have one vertex less.
const noVertex = math.MaxUint32

// Add counts the edges of a chunk.
func (c *Counter) Add(lists *chunk.Chunk) {
	columns := lists.Meta().Cols
	for v, list := range lists.Lists() {
		if c.level[v] > 0 {
			c.add(v, list, columns)
		}
	}
}

func (c *Counter) add(v uint64, list []uint32, columns chunk.Interval) {
	own, deep := c.level[v], c.deepest[v]
	level, deepest := c.level[columns.Base:columns.End()], c.deepest[columns.Base:columns.End()]
	last := uint32(noVertex)
	for _, u := range list {
		inside := min(own, level[u])
		c.entries[inside]++
		if u == last {
			c.parallel[inside]++
		}
		last = u
		if inside > deepest[u] {
			deepest[u] = inside
		}
		deep = max(deep, inside)
	}
	c.deepest[v] = max(c.deepest[v], deep)
}

// Candidates are what has been counted so far, in the order of the sizes.
func (c *Counter) Candidates() []Candidate {
	linked := make([]uint64, len(c.sizes)+1)
	for _, level := range c.deepest {
		linked[level]++
	}
	found := make([]Candidate, len(c.sizes))
	var inside Candidate
	for level := len(c.sizes); level > 0; level-- {
		inside.Linked += linked[level]
		inside.Entries += c.entries[level]
		inside.Cells += c.entries[level] - c.parallel[level]
		i := c.order[level-1]
		inside.Vertices = min(c.sizes[i], uint64(len(c.level)))
		found[i] = inside
	}
	return found
}
