package csr

import (
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
)

// BlockIndex lists, for each block of vertices, the chunks with rows in it: where to find the
// edges of one vertex, and all edges of a block at once.
type BlockIndex [][]*Chunk

// BlockIndexBytes is what a block's list takes, in a graph with a few chunks a vertex.
const BlockIndexBytes = 64

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
