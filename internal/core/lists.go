package core

import "github.com/penstock-db/penstock/formats/chunk"

// lists are a chunk's, with the set that says which of their edges are the core's.
type lists struct {
	core       Set
	rows, cols uint64 // where the chunk's intervals begin
	vertices   []uint32
	offsets    []int32
	neighbors  []uint32
}

func listsOf(c *chunk.Chunk, core Set) lists {
	m := c.Meta()
	return lists{core: core, rows: m.Rows.Base, cols: m.Cols.Base, vertices: c.Vertices(), offsets: c.Offsets(),
		neighbors: c.Neighbors()}
}

// local is the vertex of a row as the chunk numbers it.
func (l *lists) local(row int) uint32 {
	if l.vertices != nil {
		return l.vertices[row]
	}
	return uint32(row)
}

// vertex is the graph's number of it.
func (l *lists) vertex(row int) uint64 { return l.rows + uint64(l.local(row)) }

// isCore tells whether it is in the set.
func (l *lists) isCore(row int) bool { return l.core.Has(l.vertex(row)) }

// span is where a row's list lies.
func (l *lists) span(row int) (from, to int) { return int(l.offsets[row]), int(l.offsets[row+1]) }

// neighbor is the graph's number of where an edge leads.
func (l *lists) neighbor(edge int) uint64 { return l.cols + uint64(l.neighbors[edge]) }
