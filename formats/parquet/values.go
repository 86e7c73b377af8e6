package parquet

import (
	"errors"
	"io"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/parquet-go/parquet-go"

	"github.com/penstock-db/penstock/formats/table"
)

// maxListLength bounds a list, and with it what a damaged file can make of one row.
const maxListLength = 1 << 24

// errRowsMissing means that a column ends before its row group does.
var errRowsMissing = errors.New("a column has fewer rows than its row group")

// values reads one column of a row group.
type values struct {
	*column
	chunk  parquet.ColumnChunkValueReader
	buffer []parquet.Value
	next   []parquet.Value // the part of buffer that is not taken yet
}

func newValues(c *column, group parquet.RowGroup) *values {
	chunk := group.ColumnChunks()[c.leaf.Index()]
	return &values{column: c, chunk: parquet.NewColumnChunkValueReader(chunk), buffer: make([]parquet.Value, 1024)}
}

// peek shows the next value; io.EOF is the end of the row group.
func (v *values) peek() (parquet.Value, error) {
	if len(v.next) == 0 {
		n, err := v.chunk.ReadValues(v.buffer)
		if n == 0 && err == nil {
			err = io.ErrNoProgress
		}
		if n == 0 {
			return parquet.Value{}, err
		}
		v.next = v.buffer[:n]
	}
	return v.next[0], nil
}

// read makes an array of the next rows. A value that does not fit is a *table.BadValue
// whose row counts from the array's start.
func (v *values) read(mem memory.Allocator, rows int) (arrow.Array, error) {
	b := array.NewBuilder(mem, v.dataType())
	defer b.Release()
	b.Reserve(rows)
	for row := range rows {
		value, err := v.peek()
		if errors.Is(err, io.EOF) {
			err = errRowsMissing
		}
		if err != nil {
			return nil, err
		}
		if v.isList {
			value, err = v.appendList(b.(*array.ListBuilder), value)
		} else {
			err = v.appendScalar(b, value)
		}
		if errors.Is(err, errUnfit) {
			return nil, &table.BadValue{Row: row, Found: v.show(value), Expected: v.expected}
		}
		if err != nil {
			return nil, err
		}
	}
	return b.NewArray(), nil
}

// errUnfit means that a value has none in the Arrow type.
var errUnfit = errors.New("a value that does not fit")

func (v *values) appendScalar(b array.Builder, value parquet.Value) error {
	v.next = v.next[1:]
	if value.IsNull() {
		b.AppendNull()
		return nil
	}
	if !v.append(b, value) {
		return errUnfit
	}
	return nil
}

// appendList appends a whole list and returns its last value. The first value begins
// it; those that follow have a repetition level.
func (v *values) appendList(list *array.ListBuilder, value parquet.Value) (parquet.Value, error) {
	if value.DefinitionLevel() < v.nonempty {
		v.next = v.next[1:]
		list.Append(value.DefinitionLevel() >= v.listed)
		return value, nil
	}
	list.Append(true)
	for range maxListLength {
		if err := v.appendScalar(list.ValueBuilder(), value); err != nil {
			return value, err
		}
		next, err := v.peek()
		if errors.Is(err, io.EOF) || err == nil && next.RepetitionLevel() == 0 {
			return value, nil
		}
		if err != nil {
			return value, err
		}
		value = next
	}
	return value, errUnfit
}
