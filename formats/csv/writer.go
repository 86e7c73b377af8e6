package csv

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
)

// UnwritableError is a value that CSV has no spelling for.
type UnwritableError struct {
	Column, Value string
	Reason        string
}

func (e *UnwritableError) Error() string {
	return fmt.Sprintf("column %q: %s cannot be written as CSV, because %s; write Parquet or Arrow instead", e.Column,
		e.Value, e.Reason)
}

// Writer writes Arrow records as CSV. Columns may have the types that table.IsProperty
// knows. Null is an empty field, an empty string or list is "". Numbers have the
// shortest spelling that reads back as the same number; infinity is inf.
type Writer struct {
	out  *bufio.Writer
	line []byte
	// Labels is the index of a list column whose empty lists are empty fields, or -1.
	labels int
}

// NewWriter writes the header.
func NewWriter(w io.Writer, header []string) (*Writer, error) {
	out := &Writer{out: bufio.NewWriterSize(w, 64<<10), labels: -1}
	for _, name := range header {
		out.line = append(appendQuoted(out.line, []byte(name)), ',')
	}
	return out, out.endLine()
}

// Write appends a record.
func (w *Writer) Write(record arrow.Record) error {
	for row := range int(record.NumRows()) {
		for i, column := range record.Columns() {
			var reason string
			w.line, reason = w.appendField(w.line, i, column, row)
			if reason != "" {
				return &UnwritableError{record.ColumnName(i), column.ValueStr(row), reason}
			}
			w.line = append(w.line, ',')
		}
		if err := w.endLine(); err != nil {
			return err
		}
	}
	return nil
}

// Close writes what is buffered; it does not close the io.Writer.
func (w *Writer) Close() error { return w.out.Flush() }

// endLine writes the line, whose last field has a comma behind it.
func (w *Writer) endLine() error {
	line := w.line[:len(w.line)-1]
	if len(line) == 0 {
		line = append(line, `""`...) // an empty line would be no record
	}
	_, err := w.out.Write(append(line, '\n'))
	w.line = w.line[:0]
	return err
}

// appendField spells a value. A reason says why it cannot.
func (w *Writer) appendField(line []byte, index int, column arrow.Array, row int) (_ []byte, reason string) {
	if column.IsNull(row) {
		return line, ""
	}
	switch column := column.(type) {
	case *array.String:
		return appendText(line, column.Value(row))
	case *array.List:
		return w.appendList(line, index, column, row)
	}
	return appendScalar(line, column, row)
}

func appendText(line []byte, text string) ([]byte, string) {
	if bytes.IndexByte([]byte(text), 0) >= 0 {
		return line, "it has a NUL character"
	}
	return appendQuoted(line, []byte(text)), ""
}

// appendQuoted quotes what would not be read back as it is.
func appendQuoted(line, text []byte) []byte {
	if len(text) > 0 && !bytes.ContainsAny(text, "\",;\t|\r\n") && len(bytes.TrimSpace(text)) == len(text) {
		return append(line, text...)
	}
	line = append(line, '"')
	for _, c := range text {
		if c == '"' {
			line = append(line, '"')
		}
		line = append(line, c)
	}
	return append(line, '"')
}

func (w *Writer) appendList(line []byte, index int, lists *array.List, row int) ([]byte, string) {
	from, to := lists.ValueOffsets(row)
	elements := lists.ListValues()
	var text []byte
	for i := from; i < to; i++ {
		if i > from {
			text = append(text, ';')
		}
		if elements.IsNull(int(i)) {
			return line, "a list with a null has no spelling"
		}
		before := len(text)
		var reason string
		if names, ok := elements.(*array.String); ok {
			text = append(text, names.Value(int(i))...)
		} else if text, reason = appendScalar(text, elements, int(i)); reason != "" {
			return line, reason
		}
		if bytes.ContainsAny(text[before:], ";\x00") {
			return line, "a list is parted by ';'"
		}
	}
	switch {
	case from == to && index == w.labels:
		return line, ""
	case to == from+1 && len(text) == 0:
		return line, "a list of one empty string reads as an empty list"
	}
	return appendQuoted(line, text), ""
}

// appendScalar spells what never needs quotes.
func appendScalar(line []byte, column arrow.Array, row int) ([]byte, string) {
	switch column := column.(type) {
	case *array.Int64:
		return strconv.AppendInt(line, column.Value(row), 10), ""
	case *array.Float64:
		return appendFloat64(line, column.Value(row)), ""
	case *array.Boolean:
		return strconv.AppendBool(line, column.Value(row)), ""
	case *array.Date32:
		return appendMoment(line, column.Value(row).ToTime(), time.DateOnly)
	case *array.Timestamp:
		layout := "2006-01-02T15:04:05.999999"
		if column.DataType().(*arrow.TimestampType).TimeZone != "" {
			layout += "Z"
		}
		return appendMoment(line, time.UnixMicro(int64(column.Value(row))).UTC(), layout)
	}
	return line, "its type has no spelling"
}

func appendFloat64(line []byte, x float64) []byte {
	switch {
	case math.IsInf(x, 1):
		return append(line, "inf"...)
	case math.IsInf(x, -1):
		return append(line, "-inf"...)
	}
	return strconv.AppendFloat(line, x, 'g', -1, 64)
}

func appendMoment(line []byte, t time.Time, layout string) ([]byte, string) {
	if t.Year() < 0 || t.Year() > 9999 {
		return line, "its year is outside 0 to 9999"
	}
	return t.AppendFormat(line, layout), ""
}
