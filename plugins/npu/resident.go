package npu

import (
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins/kit"
)

// resident is an uploaded chunk, read in place: what matrices are made of. Its rows are
// those who receive, its columns those who send.
type resident struct {
	identity   kit.Identity
	rows, cols chunk.Interval
	vertices   []uint32 // local to rows; nil: every one
	offsets    []int32
	neighbors  []uint32    // local to cols
	weights    [][]float64 // of each of the program's edge columns
}

// open has the parts of a chunk at hand.
func open(c *kit.Chunk) *resident {
	meta := c.Meta()
	return &resident{identity: c.Identity, rows: meta.Rows, cols: meta.Cols, vertices: c.Vertices(), offsets: c.Offsets(),
		neighbors: c.Neighbors(), weights: c.Weights}
}

// Admit takes a chunk, unless the program does not end with its weights.
func (p *program) Admit(c *kit.Chunk) error {
	r := open(c)
	if err := p.checkWeights(r); err != nil {
		return err
	}
	p.chunks[c.Number] = r
	return nil
}

// Evict forgets a chunk. What is put in its place may be another, so an earlier matrix is of no more use.
func (p *program) Evict(c *kit.Chunk) {
	delete(p.chunks, c.Number)
	p.disinherit()
}

// vertex is the graph's number of a row's vertex.
func (r *resident) vertex(row int) uint64 {
	if r.vertices == nil {
		return r.rows.Base + uint64(row)
	}
	return r.rows.Base + uint64(r.vertices[row])
}

// list is where a row's edges stand.
func (r *resident) list(row int) (from, to int) { return int(r.offsets[row]), int(r.offsets[row+1]) }

// rowCount is how many rows there are.
func (r *resident) rowCount() int { return len(r.offsets) - 1 }
