package encoding

import (
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// Topology is a CSR and, for an opened chunk, the checksums of its buffers in Arrow's order.
type Topology struct {
	Vertices  []uint32 // nil: every row is present
	Offsets   []int32
	Neighbors []uint32
	Sums      []uint64
}

// Column is an edge property and, in an opened chunk, the checksums of its buffers in Arrow's order.
type Column struct {
	Field arrow.Field
	Array arrow.Array
	Sums  []uint64
}

// Release gives up the arrays of columns.
func Release(columns []Column) {
	for _, c := range columns {
		c.Array.Release()
	}
}

// NewRecord builds the Arrow record around the memory of t and columns. It retains the arrays, and returns the columns
// with those arrays that the record owns, which live as long as it does.
func NewRecord(metadata arrow.Metadata, t Topology, columns []Column) (arrow.Record, []Column) {
	fields := make([]arrow.Field, len(columns))
	children := make([]arrow.ArrayData, 1, len(columns)+1)
	neighbor := array.NewData(neighborField.Type, len(t.Neighbors), buffers(AsBytes(t.Neighbors)), nil, 0, 0)
	defer neighbor.Release()
	children[0] = neighbor
	for i, c := range columns {
		fields[i] = c.Field
		children = append(children, c.Array.Data())
	}
	schema := NewSchema(metadata, t.Vertices != nil, fields)
	list := schema.Field(schema.NumFields() - 1).Type.(*arrow.ListType)
	edges := array.NewData(list.Elem(), len(t.Neighbors), []*memory.Buffer{nil}, children, 0, 0)
	defer edges.Release()
	lists := array.NewData(list, len(t.Offsets)-1, buffers(AsBytes(t.Offsets)), []arrow.ArrayData{edges}, 0, 0)
	defer lists.Release()
	record := newRecord(schema, t.Vertices, lists)
	return record, adopt(columns, record)
}

// adopt is columns with the arrays that record owns.
func adopt(columns []Column, record arrow.Record) []Column {
	lists := record.Column(int(record.NumCols()) - 1).(*array.List)
	edges := lists.ListValues().(*array.Struct)
	adopted := slices.Clone(columns)
	for i := range adopted {
		adopted[i].Array = edges.Field(i + 1)
	}
	return adopted
}

func newRecord(schema *arrow.Schema, vertices []uint32, lists arrow.ArrayData) arrow.Record {
	arrays := make([]arrow.Array, 0, 2)
	if vertices != nil {
		data := array.NewData(vertexField.Type, len(vertices), buffers(AsBytes(vertices)), nil, 0, 0)
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
