package statement

import (
	"fmt"
	"io"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query"
)

// arrowRows is how many rows a record batch has. The first of them decide the types of the columns.
const arrowRows = 4096

// arrowWriter prints rows as an Arrow stream. Columns of booleans, integers, floats and strings
// have those types; what has others, or several, is text.
type arrowWriter struct {
	out     io.Writer
	columns []string
	rows    [][]value.Value
	stream  *ipc.Writer // nil: nothing is written yet
	schema  *arrow.Schema
}

func newArrowWriter(out io.Writer) *arrowWriter { return &arrowWriter{out: out} }

func (w *arrowWriter) begin(columns []string) error {
	w.columns, w.stream, w.rows = columns, nil, nil
	return nil
}

func (w *arrowWriter) row(row []value.Value) error {
	if w.rows = append(w.rows, row); len(w.rows) < arrowRows {
		return nil
	}
	return w.flush()
}

func (w *arrowWriter) end(query.Summary) error {
	if err := w.flush(); err != nil {
		return err
	}
	return w.stream.Close()
}

func (w *arrowWriter) flush() error {
	if w.stream == nil {
		fields := make([]arrow.Field, len(w.columns))
		for i, name := range w.columns {
			fields[i] = arrow.Field{Name: name, Type: w.typeOf(i), Nullable: true}
		}
		w.schema = arrow.NewSchema(fields, nil)
		w.stream = ipc.NewWriter(w.out, ipc.WithSchema(w.schema))
	}
	builder := array.NewRecordBuilder(memory.DefaultAllocator, w.schema)
	defer builder.Release()
	for _, row := range w.rows {
		for i, v := range row {
			if err := appendArrow(builder.Field(i), v); err != nil {
				return fmt.Errorf("column %s: %w; --format json has columns of several types", w.columns[i], err)
			}
		}
	}
	w.rows = w.rows[:0]
	record := builder.NewRecord()
	defer record.Release()
	return w.stream.Write(record)
}

// typeOf is the type that all values so far of a column have.
func (w *arrowWriter) typeOf(column int) arrow.DataType {
	seen := map[value.Kind]bool{}
	for _, row := range w.rows {
		if !row[column].IsNull() {
			seen[row[column].Kind()] = true
		}
	}
	switch {
	case len(seen) == 1 && seen[value.Bool]:
		return arrow.FixedWidthTypes.Boolean
	case len(seen) == 1 && seen[value.Int]:
		return arrow.PrimitiveTypes.Int64
	case len(seen) == 1 && seen[value.Float], len(seen) == 2 && seen[value.Int] && seen[value.Float]:
		return arrow.PrimitiveTypes.Float64
	}
	return arrow.BinaryTypes.String
}

func appendArrow(b array.Builder, v value.Value) error {
	if v.IsNull() {
		b.AppendNull()
		return nil
	}
	switch b := b.(type) {
	case *array.StringBuilder:
		b.Append(v.Plain())
		return nil
	case *array.BooleanBuilder:
		if v.Kind() == value.Bool {
			b.Append(v.Bool())
			return nil
		}
	case *array.Int64Builder:
		if v.Kind() == value.Int {
			b.Append(v.Int())
			return nil
		}
	case *array.Float64Builder:
		if v.IsNumber() {
			b.Append(v.Number())
			return nil
		}
	}
	return fmt.Errorf("a %s comes after values of type %s", v.Kind(), b.Type())
}
