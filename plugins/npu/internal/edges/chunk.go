// Package edges has the resident chunks of a session, read in place, and numbers the vertices that they link:
//
//	kit.Chunk ──Open──▶ Chunk, one of Chunks      (chunk.go)
//	Chunks ──Compact──▶ Compaction                (compaction.go)
//	Chunks, Compaction ──Rows──▶ model.Edges      (rows.go)
package edges

import (
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins/kit"
)

// Chunk is a resident chunk. Its rows receive messages, its columns send them.
type Chunk struct {
	identity   kit.Identity
	rows, cols chunk.Interval
	vertices   []uint32 // local to rows; nil: every one
	offsets    []int32
	neighbors  []uint32    // local to cols
	weights    [][]float64 // of each of the program's edge columns
}

// Chunks are the resident chunks by number.
type Chunks map[uint32]*Chunk

// Open reads a chunk where it lies, until it is evicted.
func Open(c *kit.Chunk) *Chunk {
	meta := c.Meta()
	return &Chunk{identity: c.Identity, rows: meta.Rows, cols: meta.Cols, vertices: c.Vertices(), offsets: c.Offsets(),
		neighbors: c.Neighbors(), weights: c.Weights}
}

// Weights are those of the k-th of the program's edge columns, edge by edge.
func (c *Chunk) Weights(k int) []float64 { return c.weights[k] }

// vertex is the graph's number of a row's vertex.
func (c *Chunk) vertex(row int) uint64 {
	if c.vertices == nil {
		return c.rows.Base + uint64(row)
	}
	return c.rows.Base + uint64(c.vertices[row])
}

// list is where a row's edges stand.
func (c *Chunk) list(row int) (from, to int) { return int(c.offsets[row]), int(c.offsets[row+1]) }

// rowCount is how many rows there are.
func (c *Chunk) rowCount() int { return len(c.offsets) - 1 }

// Identities are those of all chunks.
func (c Chunks) Identities() map[uint32]kit.Identity {
	all := make(map[uint32]kit.Identity, len(c))
	for number, r := range c {
		all[number] = r.identity
	}
	return all
}

// Count is the number of edges.
func (c Chunks) Count() (edges uint64) {
	for _, r := range c {
		edges += uint64(len(r.neighbors))
	}
	return edges
}
