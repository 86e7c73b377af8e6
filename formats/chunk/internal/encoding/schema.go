package encoding

import "github.com/apache/arrow/go/v15/arrow"

var (
	vertexField   = arrow.Field{Name: "vertex", Type: arrow.PrimitiveTypes.Uint32}
	neighborField = arrow.Field{Name: "neighbor", Type: arrow.PrimitiveTypes.Uint32}
)

// NewSchema is the Arrow schema of a chunk, with all metadata but the checksums.
func NewSchema(metadata arrow.Metadata, withVertices bool, columns []arrow.Field) *arrow.Schema {
	edge := arrow.StructOf(append([]arrow.Field{neighborField}, columns...)...)
	fields := make([]arrow.Field, 0, 2)
	if withVertices {
		fields = append(fields, vertexField)
	}
	fields = append(fields, arrow.Field{Name: "edges", Type: arrow.ListOfNonNullable(edge)})
	return arrow.NewSchema(fields, &metadata)
}
