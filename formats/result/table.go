// Package result writes the result of a run, one row per vertex, to one file.
//
//	Table (columns in memory, ids read batch by batch) ──▶ Arrow records ──▶ .csv, .arrow or .parquet
//
// Memory: one batch of formats.BatchRows rows beside the table; for Parquet one row group.
package result

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
)

// ReadIDs reads the user's ids of the vertices from … to-1, in their dense order.
type ReadIDs func(ctx context.Context, from, to uint64) (formats.IDs, error)

// Table is a result. Row i belongs to the vertex with the dense id i.
type Table struct {
	Rows uint64
	// IDs are written first, in a column "id": integers when all are, else strings. Nil: there is no such column.
	IDs     ReadIDs
	Columns []Column
	// Allocator holds the batches; nil: memory.DefaultAllocator.
	Allocator memory.Allocator
}

// Column has one value a row, or as many as Each says. Exactly one of Floats, Ints, Bools and IDs is set.
type Column struct {
	Name   string
	Each   int       // values of a row, which are written as a list; 0: one, which is not
	Floats []float64 // infinity is written as it is: inf in CSV
	Ints   []int64
	Bools  []bool
	IDs    ReadIDs // values that are vertices, as the user calls them
	// Null, when set, is true for a row without value: an empty field in CSV. Of lists it is true for values, which are
	// left out.
	Null func(value uint64) bool
}

// values is how many there are in so many rows.
func (c Column) values(rows uint64) uint64 { return rows * uint64(max(1, c.Each)) }

// column is a Column that knows its Arrow type.
type column struct {
	Column
	data arrow.DataType
}

// columns are those of the file: the ids and the results.
func (t *Table) columns(ctx context.Context) ([]column, error) {
	all := t.Columns
	if t.IDs != nil {
		all = append([]Column{{Name: "id", IDs: t.IDs}}, all...)
	}
	columns := make([]column, len(all))
	for i, c := range all {
		data, err := t.dataType(ctx, c)
		if err != nil {
			return nil, err
		}
		if c.Each > 0 {
			data = arrow.ListOf(data)
		}
		columns[i] = column{c, data}
	}
	return columns, nil
}

func (t *Table) dataType(ctx context.Context, c Column) (arrow.DataType, error) {
	var length uint64
	var data arrow.DataType
	switch {
	case c.Floats != nil:
		length, data = uint64(len(c.Floats)), arrow.PrimitiveTypes.Float64
	case c.Ints != nil:
		length, data = uint64(len(c.Ints)), arrow.PrimitiveTypes.Int64
	case c.Bools != nil:
		length, data = uint64(len(c.Bools)), arrow.FixedWidthTypes.Boolean
	case c.IDs != nil:
		return t.idType(ctx, c)
	case t.Rows == 0:
		return arrow.PrimitiveTypes.Float64, nil
	default:
		return nil, fmt.Errorf("result column %q has no values", c.Name)
	}
	if length != c.values(t.Rows) {
		return nil, fmt.Errorf("result column %q has %d values for %d rows", c.Name, length, t.Rows)
	}
	return data, nil
}

// idType reads the ids once more, up to the first string: a column has one type, and
// it must be known before the first row is written.
func (t *Table) idType(ctx context.Context, c Column) (arrow.DataType, error) {
	err := t.batches(func(from, to uint64) error {
		batch, err := c.IDs(ctx, c.values(from), c.values(to))
		if err != nil {
			return err
		}
		for i := range batch.Len() {
			if _, text := batch.At(i); text != "" {
				return errString
			}
		}
		return ctx.Err()
	})
	if errors.Is(err, errString) {
		return arrow.BinaryTypes.String, nil
	}
	return arrow.PrimitiveTypes.Int64, err
}

// errString ends the search for a string id.
var errString = errors.New("a string id")

// batches cuts the rows into batches.
func (t *Table) batches(yield func(from, to uint64) error) error {
	for from := uint64(0); from < t.Rows; from += formats.BatchRows {
		if err := yield(from, min(from+formats.BatchRows, t.Rows)); err != nil {
			return err
		}
	}
	return nil
}

// record makes the rows from … to-1.
func (t *Table) record(ctx context.Context, schema *arrow.Schema, columns []column, from, to uint64) (arrow.Record,
	error) {
	mem := t.Allocator
	if mem == nil {
		mem = memory.DefaultAllocator
	}
	b := array.NewRecordBuilder(mem, schema)
	defer b.Release()
	b.Reserve(int(to - from))
	for i, c := range columns {
		if err := c.append(ctx, b.Field(i), from, to); err != nil {
			return nil, err
		}
	}
	return b.NewRecord(), nil
}

// append appends the values of the rows from … to-1.
func (c *column) append(ctx context.Context, b array.Builder, from, to uint64) error {
	lists, ok := b.(*array.ListBuilder)
	if !ok {
		return c.appendValues(ctx, b, from, to)
	}
	for row := from; row < to; row++ {
		lists.Append(true)
		if err := c.appendValues(ctx, lists.ValueBuilder(), c.values(row), c.values(row+1)); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// appendValues appends the values from … to-1. One that lacks in a list is left out.
func (c *column) appendValues(ctx context.Context, b array.Builder, from, to uint64) error {
	var ids formats.IDs
	if c.IDs != nil {
		var err error
		if ids, err = c.IDs(ctx, from, to); err != nil {
			return err
		}
		if uint64(ids.Len()) != to-from {
			return fmt.Errorf("result column %q has %d ids for %d values", c.Name, ids.Len(), to-from)
		}
	}
	for i := from; i < to; i++ {
		if c.Null != nil && c.Null(i) {
			if c.Each == 0 {
				b.AppendNull()
			}
			continue
		}
		switch b := b.(type) {
		case *array.Float64Builder:
			b.Append(c.Floats[i])
		case *array.BooleanBuilder:
			b.Append(c.Bools[i])
		case *array.StringBuilder:
			b.Append(ids.Text(int(i - from)))
		case *array.Int64Builder:
			b.Append(c.int(ids, i, from))
		}
	}
	return nil
}

func (c *column) int(ids formats.IDs, i, from uint64) int64 {
	if c.IDs == nil {
		return c.Ints[i]
	}
	n, _ := ids.At(int(i - from))
	return n
}
