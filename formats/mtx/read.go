// Package mtx reads and writes Matrix Market files (Boisvert, Pozo and Remington, "The
// Matrix Market Exchange Formats", NISTIR 5935, 1996). Entry (i, j) is the edge i → j.
//
//	%%MatrixMarket matrix coordinate real general     format, field, symmetry
//	%%GraphBLAS type int32_t                          optional: the range of values
//	% any comment
//	7 7 12                                            rows, columns, entries
//	4 1 0.5                                           row, column, value
//
// Rows and columns are the same vertices, 1 … n, all declared. Each entry of a symmetric
// matrix is one undirected edge, whichever triangle it stands in; a skew-symmetric
// matrix is directed, with the negated value on the way back. Of an array every value
// but zero is an edge. Entries at one place are parallel edges. A file may lack its
// first line, as LAGraph allows: then it is real and general.
package mtx

import (
	"context"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/batch"
	"github.com/penstock-db/penstock/formats/input"
)

// source reads one file. It holds one batch and the file's buffers.
type source struct {
	header
	file   *input.File
	opts   formats.Options
	lines  *input.Lines
	fields input.Fields
	schema formats.Schema
}

// Open reads the header. It owns file from then on, and closes it when it fails.
// Values become the property "weight", or opts.Columns[0]: Int64 for the field
// integer, Float64 for real. Complex, hermitian and rectangular matrices are errors.
func Open(file *input.File, opts formats.Options) (formats.Source, error) {
	s := &source{file: file, opts: opts, lines: file.Lines()}
	if err := s.readHeader(s.lines); err != nil {
		file.Close()
		return nil, err
	}
	s.schema = formats.Schema{
		Orientation: formats.Directed, NodesDeclared: true, IntegerIDs: true,
		Edge: s.edgeSchema(), Vertices: s.rows, Edges: s.edges(), Declared: s.size,
	}
	if s.symmetry == "symmetric" {
		s.schema.Orientation = formats.Undirected
	}
	return s, nil
}

func (s *source) edgeSchema() *arrow.Schema {
	column := arrow.Field{Name: formats.WeightColumn, Type: arrow.PrimitiveTypes.Float64, Nullable: true}
	switch s.field {
	case "pattern":
		return nil
	case "integer":
		column.Type = arrow.PrimitiveTypes.Int64
	}
	if len(s.opts.Columns) > 0 {
		column.Name = s.opts.Columns[0]
	}
	return arrow.NewSchema([]arrow.Field{column}, nil)
}

func (s *source) Schema() formats.Schema { return s.schema }

func (s *source) Close() error { return s.file.Close() }

func (s *source) Nodes(ctx context.Context, yield func(*formats.NodeBatch) error) error {
	return batch.Interval(ctx, 1, s.rows+1, s.size, yield)
}

func (s *source) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	edges := batch.NewEdges(ctx, s.opts.Mem(), s.file.Path, s.schema.Edge, yield)
	defer edges.Release()
	read := s.coordinates
	if s.dense {
		read = s.array
	}
	if err := read(edges); err != nil {
		return err
	}
	return edges.Flush()
}

// nextEntry goes to the next line that is neither blank nor a comment.
func (s *source) nextEntry() bool {
	for s.lines.Next() {
		s.fields.Reset(s.lines.Bytes())
		first := s.fields
		if field, ok := first.Next(); ok && field[0] != '%' {
			return true
		}
	}
	return false
}
