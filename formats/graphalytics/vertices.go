package graphalytics

import (
	"context"
	"fmt"
	"strconv"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/batch"
	"github.com/penstock-db/penstock/formats/input"
)

// vertices reads a .v file. What follows the id are numbers, as in libgrape-lite's data
// sets: the node properties "column2", "column3" …
type vertices struct {
	file   *input.File
	opts   formats.Options
	lines  *input.Lines
	fields input.Fields
	width  int
	schema *arrow.Schema // nil: no properties
}

// openVertices reads the first line. It closes file when it fails.
func openVertices(file *input.File, opts formats.Options) (*vertices, error) {
	v := &vertices{file: file, opts: opts, lines: file.Lines()}
	if !v.next() {
		err := v.lines.Err()
		if err == nil {
			err = &formats.ParseError{Position: file.At(0), Found: "no vertices", Expected: "one vertex id on each line"}
		}
		file.Close()
		return nil, err
	}
	if v.width = v.fields.Count(v.lines.Bytes()); v.width > formats.MaxColumns {
		file.Close()
		return nil, v.lines.TooWide()
	}
	if v.width > 1 {
		columns := make([]arrow.Field, v.width-1)
		for i := range columns {
			columns[i] = arrow.Field{Name: "column" + strconv.Itoa(i+2), Type: arrow.PrimitiveTypes.Float64, Nullable: true}
		}
		v.schema = arrow.NewSchema(columns, nil)
	}
	return v, nil
}

// next goes to the next line that is not blank.
func (v *vertices) next() bool {
	for v.lines.Next() {
		if v.fields.Count(v.lines.Bytes()) > 0 {
			return true
		}
	}
	return false
}

func (v *vertices) nodes(ctx context.Context, yield func(*formats.NodeBatch) error) error {
	nodes := batch.NewNodes(ctx, v.opts.Mem(), v.file.Path, v.schema, yield)
	defer nodes.Release()
	for ok := true; ok; ok = v.next() {
		if err := v.parse(nodes); err != nil {
			return err
		}
	}
	if err := v.lines.Err(); err != nil {
		return err
	}
	return nodes.Flush()
}

func (v *vertices) parse(nodes *batch.Nodes) error {
	line := v.lines.Bytes()
	if n := v.fields.Count(line); n != v.width {
		return v.lines.Bad(0, fmt.Sprintf("%d fields", n), fmt.Sprintf("%d, as on the first line", v.width))
	}
	v.fields.Reset(line)
	id, _ := v.fields.Next()
	if !batch.AppendID(&nodes.ID, id) {
		return batch.BadID(v.lines, v.fields.Column, id)
	}
	for i := range v.width - 1 {
		field, _ := v.fields.Next()
		x, ok := input.ParseFloat(field)
		if !ok {
			return v.lines.Bad(v.fields.Column, input.Quote(field), "a finite number")
		}
		nodes.Float(i).Append(x)
	}
	return nodes.EndRow(v.lines.Number())
}
