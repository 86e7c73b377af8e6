package chunk

import (
	"slices"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/formats/chunk/internal/encoding"
)

// Chunk is the adjacency lists of a vertex interval: a read-only view over memory
// that the caller of FromCSR or Open keeps alive. It is safe for concurrent use until
// Release. Its own memory is a few hundred bytes and some more for each column.
type Chunk struct {
	head
	topology encoding.Topology
	columns  []encoding.Column
	record   arrow.Record
}

// head is what a chunk's header says of it as a whole.
type head struct {
	version uint32 // of the format that it was opened in, or is to be written in
	meta    Meta
	stats   Stats
}

// assemble makes a chunk of the memory of t and columns. It retains the arrays.
func assemble(h head, t encoding.Topology, columns []encoding.Column) *Chunk {
	record, owned := encoding.NewRecord(metadataOf(h), t, columns)
	return &Chunk{head: h, topology: t, columns: owned, record: record}
}

// Meta says which graph, snapshot and intervals the chunk belongs to.
func (c *Chunk) Meta() Meta { return c.meta }

// Stats are counts over the lists.
func (c *Chunk) Stats() Stats { return c.stats }

// Rows is the number of vertices present, each with a list.
func (c *Chunk) Rows() int { return c.stats.Rows }

// Edges is the number of neighbors in all lists.
func (c *Chunk) Edges() int { return c.stats.Edges }

// Vertices are the vertices present, ascending and local to Meta().Rows; nil when every one is.
func (c *Chunk) Vertices() []uint32 { return c.topology.Vertices }

// Offsets has Rows()+1 entries: row i's list is Neighbors()[Offsets()[i]:Offsets()[i+1]].
func (c *Chunk) Offsets() []int32 { return c.topology.Offsets }

// Neighbors are the lists, one after another, local to Meta().Cols.
func (c *Chunk) Neighbors() []uint32 { return c.topology.Neighbors }

// Columns are the edge property columns, in order.
func (c *Chunk) Columns() []arrow.Field {
	fields := make([]arrow.Field, len(c.columns))
	for i, col := range c.columns {
		fields[i] = col.Field
	}
	return fields
}

// Column is the property column of that name, one value an edge, parallel to
// Neighbors. It is borrowed: retain it to keep it longer than the chunk.
func (c *Chunk) Column(name string) (arrow.Array, bool) {
	i := c.find(name)
	if i < 0 {
		return nil, false
	}
	return c.columns[i].Array, true
}

func (c *Chunk) find(name string) int {
	return slices.IndexFunc(c.columns, func(col encoding.Column) bool { return col.Field.Name == name })
}

// Record is the chunk as Arrow sees it. The caller releases it.
func (c *Chunk) Record() arrow.Record {
	c.record.Retain()
	return c.record
}

// Release gives up the chunk's share of its edge columns. The chunk must not be used afterwards.
func (c *Chunk) Release() { c.record.Release() }
