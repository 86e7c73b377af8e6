package chunk

import (
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// Chunk is the adjacency lists of a vertex interval: a read-only view over memory
// that the caller of FromCSR or Open keeps alive. It is safe for concurrent use until
// Release. Its own memory is a few hundred bytes and some more for each column.
type Chunk struct {
	head
	topology topology
	columns  []column
	record   arrow.Record
}

// head is what a chunk's header says of it as a whole.
type head struct {
	version uint32 // of the format that it was opened in, or is to be written in
	meta    Meta
	stats   Stats
}

// topology is a CSR and, for an opened chunk, the checksums of its buffers in Arrow's order.
type topology struct {
	vertices  []uint32
	offsets   []int32
	neighbors []uint32
	sums      []uint64
}

// column is an edge property and, in an opened chunk, the checksums of its buffers in Arrow's order.
type column struct {
	field arrow.Field
	array arrow.Array
	sums  []uint64
}

// assemble builds the Arrow record around the memory of t and columns. It retains the arrays.
func assemble(h head, t topology, columns []column) *Chunk {
	fields := make([]arrow.Field, len(columns))
	children := make([]arrow.ArrayData, 1, len(columns)+1)
	neighbor := array.NewData(neighborField.Type, len(t.neighbors), buffers(asBytes(t.neighbors)), nil, 0, 0)
	defer neighbor.Release()
	children[0] = neighbor
	for i, c := range columns {
		fields[i] = c.field
		children = append(children, c.array.Data())
	}
	schema := newSchema(h, t.vertices != nil, fields)
	list := schema.Field(schema.NumFields() - 1).Type.(*arrow.ListType)
	edges := array.NewData(list.Elem(), len(t.neighbors), []*memory.Buffer{nil}, children, 0, 0)
	defer edges.Release()
	lists := array.NewData(list, h.stats.Rows, buffers(asBytes(t.offsets)), []arrow.ArrayData{edges}, 0, 0)
	defer lists.Release()
	record := newRecord(schema, t.vertices, lists)
	return &Chunk{head: h, topology: t, columns: adopt(columns, record), record: record}
}

// adopt is columns with the arrays that record owns, which live as long as it does.
func adopt(columns []column, record arrow.Record) []column {
	lists := record.Column(int(record.NumCols()) - 1).(*array.List)
	edges := lists.ListValues().(*array.Struct)
	adopted := slices.Clone(columns)
	for i := range adopted {
		adopted[i].array = edges.Field(i + 1)
	}
	return adopted
}

func newRecord(schema *arrow.Schema, vertices []uint32, lists arrow.ArrayData) arrow.Record {
	arrays := make([]arrow.Array, 0, 2)
	if vertices != nil {
		data := array.NewData(vertexField.Type, len(vertices), buffers(asBytes(vertices)), nil, 0, 0)
		defer data.Release()
		arrays = append(arrays, array.MakeFromData(data))
	}
	arrays = append(arrays, array.MakeFromData(lists))
	record := array.NewRecord(schema, arrays, int64(lists.Len()))
	for _, a := range arrays {
		a.Release()
	}
	return record
}

// buffers is an array's buffers when it has no nulls: an absent bitmap, then values or offsets.
func buffers(values []byte) []*memory.Buffer {
	return []*memory.Buffer{nil, memory.NewBufferBytes(values)}
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
func (c *Chunk) Vertices() []uint32 { return c.topology.vertices }

// Offsets has Rows()+1 entries: row i's list is Neighbors()[Offsets()[i]:Offsets()[i+1]].
func (c *Chunk) Offsets() []int32 { return c.topology.offsets }

// Neighbors are the lists, one after another, local to Meta().Cols.
func (c *Chunk) Neighbors() []uint32 { return c.topology.neighbors }

// Columns are the edge property columns, in order.
func (c *Chunk) Columns() []arrow.Field {
	fields := make([]arrow.Field, len(c.columns))
	for i, col := range c.columns {
		fields[i] = col.field
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
	return c.columns[i].array, true
}

func (c *Chunk) find(name string) int {
	return slices.IndexFunc(c.columns, func(col column) bool { return col.field.Name == name })
}

// Record is the chunk as Arrow sees it. The caller releases it.
func (c *Chunk) Record() arrow.Record {
	c.record.Retain()
	return c.record
}

// Release gives up the chunk's share of its edge columns. The chunk must not be used afterwards.
func (c *Chunk) Release() { c.record.Release() }
