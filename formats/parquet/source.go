package parquet

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/parquet-go/parquet-go"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/table"
)

type source struct {
	files  []*file
	schema formats.Schema
	mem    memory.Allocator
}

func (s *source) buildSchema() error {
	var nodes, edges table.Merger
	s.schema = formats.Schema{IntegerIDs: true}
	for _, f := range s.files {
		merger, count := &nodes, &s.schema.Vertices
		if f.layout.IsEdges {
			merger, count = &edges, &s.schema.Edges
		} else {
			s.schema.NodesDeclared = true
		}
		if err := merger.Add(f.layout.PropertySchema(f.schema), f.at(0)); err != nil {
			return err
		}
		*count += f.content.NumRows()
		s.schema.IntegerIDs = s.schema.IntegerIDs && f.integerIDs()
	}
	if !s.schema.NodesDeclared {
		s.schema.Vertices = -1
	}
	s.schema.Node, s.schema.Edge = nodes.Schema(), edges.Schema()
	return nil
}

func (f *file) integerIDs() bool {
	for _, i := range []int{f.layout.ID, f.layout.Source, f.layout.Target} {
		if i >= 0 && f.schema.Field(i).Type.ID() != arrow.INT64 {
			return false
		}
	}
	return true
}

func (s *source) Schema() formats.Schema { return s.schema }

func (s *source) Close() error {
	var errs []error
	for _, f := range s.files {
		errs = append(errs, f.raw.Close())
	}
	return errors.Join(errs...)
}

func (s *source) Nodes(ctx context.Context, yield func(*formats.NodeBatch) error) error {
	return s.records(ctx, false, func(f *file, record arrow.Record, first int64) error {
		b, err := f.layout.Nodes(record, f.label)
		if err != nil {
			return f.badValue(err, first)
		}
		if b.Props != nil {
			defer b.Props.Release()
		}
		b.Where = func(row int) formats.Position { return f.at(first + int64(row)) }
		return yield(b)
	})
}

func (s *source) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	return s.records(ctx, true, func(f *file, record arrow.Record, first int64) error {
		b, err := f.layout.Edges(record, f.label)
		if err != nil {
			return f.badValue(err, first)
		}
		if b.Props != nil {
			defer b.Props.Release()
		}
		b.Where = func(row int) formats.Position { return f.at(first + int64(row)) }
		return yield(b)
	})
}

// badValue names the place of a *table.BadValue in a record whose first row is first.
func (f *file) badValue(err error, first int64) error {
	var bad *table.BadValue
	if !errors.As(err, &bad) {
		return err
	}
	return &formats.ParseError{
		Position: f.at(first + int64(bad.Row)),
		Found:    fmt.Sprintf("%s in column %q", bad.Found, f.columns[bad.Column].name), Expected: bad.Expected,
	}
}

// records reads all files of nodes, or of edges. first is the record's first row in the file, from 1.
func (s *source) records(ctx context.Context, edges bool, yield func(f *file, record arrow.Record, first int64) error) error {
	for _, f := range s.files {
		if f.layout.IsEdges != edges {
			continue
		}
		first := int64(1)
		for _, group := range f.content.RowGroups() {
			err := f.readGroup(ctx, s.mem, group, func(record arrow.Record, row int64) error {
				return yield(f, record, first+row)
			}, first)
			if err != nil {
				return err
			}
			first += group.NumRows()
		}
	}
	return nil
}

// readGroup reads one row group, batch by batch. row counts from the group's start,
// first is the row in the file at which it starts.
func (f *file) readGroup(ctx context.Context, mem memory.Allocator, group parquet.RowGroup, yield func(record arrow.Record, row int64) error, first int64) error {
	var columns []*values
	err := f.guard(func() error {
		for _, c := range f.columns {
			columns = append(columns, newValues(c, group))
		}
		return nil
	})
	if err != nil {
		return err
	}
	defer func() {
		for _, c := range columns {
			c.chunk.Close()
		}
	}()
	for row := int64(0); row < group.NumRows(); row += formats.BatchRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows := int(min(formats.BatchRows, group.NumRows()-row))
		record, err := f.readRecord(mem, columns, rows, first+row)
		if err != nil {
			return err
		}
		err = yield(record, row)
		record.Release()
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *file) readRecord(mem memory.Allocator, columns []*values, rows int, first int64) (record arrow.Record, err error) {
	arrays := make([]arrow.Array, 0, len(columns))
	defer func() {
		for _, a := range arrays {
			a.Release()
		}
	}()
	for i, c := range columns {
		err = f.guard(func() error {
			a, err := c.read(mem, rows)
			var bad *table.BadValue
			if errors.As(err, &bad) {
				bad.Column = i
				return f.badValue(bad, first)
			}
			if err == nil {
				arrays = append(arrays, a)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return array.NewRecord(f.schema, arrays, int64(rows)), nil
}
