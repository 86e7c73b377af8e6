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

// longValueError says that a value takes more than a row may.
type longValueError struct{ row, limit int }

func (e *longValueError) Error() string { return "a value is too long" }

// errRowsMissing means that a column ends before its row group does.
var errRowsMissing = errors.New("a column has fewer rows than its row group")

// values reads one column of a row group.
type values struct {
	*column
	chunk  parquet.ColumnChunkValueReader
	buffer []parquet.Value
	next   []parquet.Value // the part of buffer that is not taken yet
	ahead  arrow.Array     // rows that are read and not taken yet; nil: none
	share  int             // bytes of them, but for the last
	limit  int             // bytes that a value may have
	bytes  int             // of what is being read
}

// newValues reads one of so many columns.
func newValues(c *column, group parquet.RowGroup, columns, limit int) *values {
	const most, least = 1024, 16 // values read at a time
	chunk := group.ColumnChunks()[c.leaf.Index()]
	return &values{
		column: c, chunk: parquet.NewColumnChunkValueReader(chunk), share: batchBytes / columns, limit: limit,
		buffer: make([]parquet.Value, max(least, min(most, 8*most/columns))),
	}
}

// take is the next rows of ahead.
func (v *values) take(rows int64) arrow.Array {
	taken, rest := array.NewSlice(v.ahead, 0, rows), arrow.Array(nil)
	if n := int64(v.ahead.Len()); rows < n {
		rest = array.NewSlice(v.ahead, rows, n)
	}
	v.ahead.Release()
	v.ahead = rest
	return taken
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

// readAhead makes an array of the next rows, as many as the column's share holds. A value
// that does not fit is a *table.BadValue whose row counts from the array's start, as does
// that of a *longValueError.
func (v *values) readAhead(mem memory.Allocator, rows int) error {
	b := array.NewBuilder(mem, v.dataType())
	defer b.Release()
	rows = min(rows, max(1, v.share/fixedBytes))
	b.Reserve(rows)
	v.bytes = 0
	for row := range rows {
		before := v.bytes
		if before > v.share {
			break
		}
		value, err := v.peek()
		if errors.Is(err, io.EOF) {
			err = errRowsMissing
		}
		if err != nil {
			return err
		}
		if v.isList {
			value, err = v.appendList(b.(*array.ListBuilder), value)
		} else {
			err = v.appendScalar(b, value)
		}
		if errors.Is(err, errUnfit) {
			return &table.BadValue{Row: row, Found: v.show(value), Expected: v.expected}
		}
		if errors.Is(err, errLong) || v.bytes-before > v.limit {
			return &longValueError{row: row, limit: v.limit}
		}
		if err != nil {
			return err
		}
	}
	v.ahead = b.NewArray()
	return nil
}

// errUnfit means that a value has none in the Arrow type.
var errUnfit = errors.New("a value that does not fit")

// errLong means that a list takes more than a row may.
var errLong = errors.New("a list that is too long")

func (v *values) appendScalar(b array.Builder, value parquet.Value) error {
	v.next = v.next[1:]
	v.bytes += fixedBytes
	if value.Kind() == parquet.ByteArray {
		v.bytes += len(value.ByteArray())
	}
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
		v.bytes += fixedBytes
		list.Append(value.DefinitionLevel() >= v.listed)
		return value, nil
	}
	list.Append(true)
	for before := v.bytes; v.bytes-before <= v.limit; {
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
	return value, errLong
}
