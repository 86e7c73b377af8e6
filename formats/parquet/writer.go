package parquet

import (
	"io"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

const (
	groupRows       = 1 << 20 // rows of a row group, at the most a batch more
	groupBytes      = 64 << 20
	dictionaryBytes = 1 << 20 // a column with a larger dictionary goes on without
)

// Writer writes Arrow records of one schema as a Parquet file, compressed with zstd.
// It holds one row group, compressed, of about a million rows or 64 MiB before compression.
type Writer struct {
	out    *parquet.GenericWriter[any]
	fields []arrow.Field
	values []parquet.Value
	rows   int64
	bytes  int64
}

// NewWriter starts a file. Columns may have the types that table.IsProperty knows.
func NewWriter(w io.Writer, schema *arrow.Schema) (*Writer, error) {
	s, err := schemaOf(schema)
	if err != nil {
		return nil, err
	}
	out := parquet.NewGenericWriter[any](w, s, parquet.Compression(&zstd.Codec{Level: zstd.SpeedDefault}),
		parquet.DictionaryMaxBytes(dictionaryBytes), parquet.CreatedBy("penstock", "", ""))
	return &Writer{out: out, fields: schema.Fields()}, nil
}

// Write appends a record of the schema.
func (w *Writer) Write(record arrow.Record) error {
	for i, column := range w.out.ColumnWriters() {
		values := record.Column(i)
		w.values = appendColumn(w.values[:0], values, w.fields[i], i)
		if _, err := column.WriteRowValues(w.values); err != nil {
			return err
		}
		w.bytes += size(values)
	}
	clear(w.values) // they point into the record
	w.rows += record.NumRows()
	if w.rows < groupRows && w.bytes < groupBytes {
		return nil
	}
	w.rows, w.bytes = 0, 0
	return w.out.Flush()
}

// Close ends the file; it does not close the io.Writer.
func (w *Writer) Close() error { return w.out.Close() }

// size is about how many bytes a column's values have.
func size(column arrow.Array) int64 {
	rows := int64(column.Len())
	switch column := column.(type) {
	case *array.List:
		return 4*rows + size(column.ListValues())
	case *array.String:
		return 4*rows + int64(len(column.ValueBytes()))
	}
	return 8 * rows
}

// appendColumn spells a column in Dremel levels: the definition level counts how many
// of the optional and repeated steps from root to value are there, the repetition
// level is 1 for all but the first element of a list.
func appendColumn(values []parquet.Value, column arrow.Array, field arrow.Field, index int) []parquet.Value {
	present := level(field.Nullable)
	value := leaves[field.Type.ID()].value
	list, isList := column.(*array.List)
	for row := range column.Len() {
		switch {
		case column.IsNull(row):
			values = append(values, parquet.NullValue().Level(0, 0, index))
		case isList:
			values = appendList(values, list, row, present, index)
		default:
			values = append(values, value(column, row).Level(0, present, index))
		}
	}
	return values
}

func appendList(values []parquet.Value, list *array.List, row, present, index int) []parquet.Value {
	elements := list.ListValues()
	from, to := list.ValueOffsets(row)
	if from == to {
		return append(values, parquet.NullValue().Level(0, present, index))
	}
	value := leaves[elements.DataType().ID()].value
	nullable := level(list.DataType().(*arrow.ListType).ElemField().Nullable)
	for i := from; i < to; i++ {
		repetition := level(i > from)
		if elements.IsNull(int(i)) {
			values = append(values, parquet.NullValue().Level(repetition, present+1, index))
			continue
		}
		values = append(values, value(elements, int(i)).Level(repetition, present+1+nullable, index))
	}
	return values
}

func level(counts bool) int {
	if counts {
		return 1
	}
	return 0
}
