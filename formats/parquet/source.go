package parquet

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"

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

// records reads all files of nodes, or of edges. first is the record's first row in
// the file, from 1.
func (s *source) records(ctx context.Context, edges bool,
	yield func(f *file, record arrow.Record, first int64) error) error {
	for _, f := range s.files {
		if f.layout.IsEdges != edges {
			continue
		}
		first := int64(1)
		for number, rows := range f.content.RowGroups() {
			if err := f.guard(func() error { return f.checkGroup(number) }); err != nil {
				return err
			}
			g := &group{file: f, mem: s.mem, first: first}
			if err := g.read(ctx, rows, yield); err != nil {
				return err
			}
			first += rows.NumRows()
		}
	}
	return nil
}
