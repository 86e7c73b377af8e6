package edges

import (
	"math/bits"

	"github.com/penstock-db/penstock/plugins/internal/bitmap"
)

// Compaction numbers the vertices that have an edge, 0, 1, 2 … as they come: the matrices
// have a row and a column for those alone, as section 4.1 of the paper has it. It is a bit vector
// with ranks (Jacobson, "Space-efficient static trees and graphs", FOCS'89): a bit and a half
// for each vertex of the graph, and 4 bytes for those that are linked.
type Compaction struct {
	linked []uint64
	before []uint32 // how many are linked before each word
	IDs    []uint32 // the graph's number of each that is linked
}

// Compact looks for the ends of all edges of chunks over n vertices.
func Compact(chunks Chunks, n int) *Compaction {
	c := &Compaction{linked: make([]uint64, bitmap.Words(n))}
	for _, r := range chunks {
		c.link(r)
	}
	c.before = make([]uint32, len(c.linked))
	c.IDs = make([]uint32, 0, bitmap.Count(c.linked))
	for i, word := range c.linked {
		c.before[i] = uint32(len(c.IDs))
		for ; word != 0; word &= word - 1 {
			c.IDs = append(c.IDs, uint32(i*64+bits.TrailingZeros64(word)))
		}
	}
	return c
}

// link marks the ends of a chunk's edges.
func (c *Compaction) link(r *Chunk) {
	for row := range r.rowCount() {
		if from, to := r.list(row); from < to {
			v := r.vertex(row)
			c.linked[v/64] |= 1 << (v % 64)
		}
	}
	for _, neighbor := range r.neighbors {
		v := r.cols.Base + uint64(neighbor)
		c.linked[v/64] |= 1 << (v % 64)
	}
}

// N is how many vertices are linked.
func (c *Compaction) N() int { return len(c.IDs) }

// Of is the number of a vertex that is linked.
func (c *Compaction) Of(v uint64) uint32 {
	return c.before[v/64] + uint32(bits.OnesCount64(c.linked[v/64]&(1<<(v%64)-1)))
}

// CompactionBytes is what it takes when linked of n vertices are.
func CompactionBytes(n, linked int) uint64 {
	return 12*uint64(bitmap.Words(n)) + 4*uint64(linked)
}
