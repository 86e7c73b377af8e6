package edgelist

import (
	"context"
	"fmt"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/batch"
	"github.com/penstock-db/penstock/formats/input"
)

// rows gathers the edges of a block.
type rows struct {
	edges  *batch.Edges
	width  int // fields on each line
	fields input.Fields
	lines  *input.Lines
}

func (s *source) newRows(ctx context.Context, yield func(*formats.EdgeBatch) error) *rows {
	return &rows{
		edges: batch.NewEdges(ctx, s.opts.Mem(), s.file.Path, s.schema.Edge, yield),
		width: s.width, fields: input.Fields{Comma: true},
	}
}

func (r *rows) Release() { r.edges.Release() }

func (r *rows) Flush(before int64) error { return r.edges.FlushAfter(before) }

// Parse gathers lines of two integers the fast way, any other line by its fields.
func (r *rows) Parse(block *input.Lines) error {
	for {
		if r.width == 2 {
			r.edges.TakePairs(block, " \t,")
		}
		if !nextRow(block) {
			return block.Err()
		}
		if err := r.add(block); err != nil {
			return err
		}
	}
}

// add gathers the edge of the line that lines is at.
func (r *rows) add(lines *input.Lines) error {
	r.lines = lines
	r.fields.Reset(lines.Bytes())
	if err := r.appendID(&r.edges.Src); err != nil {
		return err
	}
	if err := r.appendID(&r.edges.Dst); err != nil {
		return err
	}
	for i := range r.width - 2 {
		x, err := r.number()
		if err != nil {
			return err
		}
		r.edges.Float(i).Append(x)
	}
	if _, more := r.fields.Next(); more {
		return r.badWidth()
	}
	r.edges.Row(lines.Number())
	return nil
}

func (r *rows) appendID(ids *formats.IDs) error {
	field, ok := r.fields.Next()
	if !ok {
		return r.badWidth()
	}
	if !batch.AppendID(ids, field) {
		return batch.BadID(r.lines, r.fields.Column, field)
	}
	return nil
}

func (r *rows) number() (float64, error) {
	field, ok := r.fields.Next()
	if !ok {
		return 0, r.badWidth()
	}
	x, ok := input.ParseFloat(field)
	if !ok {
		return 0, r.lines.Bad(r.fields.Column, input.Quote(field), expectedNumber)
	}
	return x, nil
}

func (r *rows) badWidth() error {
	n := r.fields.Count(r.lines.Bytes())
	if n < 2 {
		return r.lines.BadLine(expectedFields)
	}
	return r.lines.Bad(0, fmt.Sprintf("%d fields", n), fmt.Sprintf("%d, as on the first line", r.width))
}
