package csr

import (
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
)

// BlockIndex lists, for each block of vertices, the chunks with rows in it: where to find the
// edges of one vertex, and all edges of a block at once.
type BlockIndex [][]*Chunk

// BlockIndexBytes is what a block's list takes, in a graph with a few chunks a vertex.
const BlockIndexBytes = 64

// NewBlockIndex looks at the rows of each chunk of a graph of n vertices.
func NewBlockIndex(chunks []*Chunk, n int) BlockIndex {
	c := make(BlockIndex, parallel.BlockCount(n))
	for _, r := range chunks {
		if len(r.Neighbors) == 0 {
			continue
		}
		for b := int(r.Rows.Base) / parallel.BlockVertices; b < parallel.BlockCount(int(r.Rows.End())); b++ {
			c[b] = append(c[b], r)
		}
	}
	return c
}

// Neighbors calls do for each edge of v.
func (x BlockIndex) Neighbors(v uint32, do func(u uint32)) {
	for _, r := range x[v/parallel.BlockVertices] {
		from, to := r.EdgeRange(int(v))
		base := uint32(r.Cols.Base)
		for _, local := range r.Neighbors[from:to] {
			do(base + local)
		}
	}
}
