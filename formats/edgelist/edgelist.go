// Package edgelist reads plain edge lists, as SNAP and KONECT publish them.
//
//	# FromNodeId  ToNodeId          lines that start with #, % or // are comments
//	30   1412                       source, target
//	610,977,1,1307526243.273450     weight and further numbers, all optional
//
// Tabs, blanks or commas part the fields. An id is an integer in [0, 2^63), or a name
// that starts with a letter or _. All lines have as many fields as the first.
package edgelist

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/batch"
	"github.com/penstock-db/penstock/formats/input"
)

const (
	expectedFields = "a source and a target parted by a tab, blanks or a comma"
	expectedNumber = "a finite number"
)

// source reads one file. It holds one batch and the file's buffers.
type source struct {
	file   *input.File
	opts   formats.Options
	lines  *input.Lines
	fields input.Fields
	schema formats.Schema
	width  int   // fields on each line
	header int64 // the first row's line while that row may be a header, else 0
}

// Open reads up to the first edge and takes the columns from it. It owns file from
// then on, and closes it when it fails. A file without any edge is an error.
//
// The counts in a SNAP header ("# Nodes: 7115 Edges: 103689") are not taken as a
// promise: published files count duplicates and directions in different ways.
func Open(file *input.File, opts formats.Options) (formats.Source, error) {
	s := &source{file: file, opts: opts, lines: file.Lines(), fields: input.Fields{Comma: true}}
	s.schema = formats.Schema{Vertices: -1, Edges: -1}
	if err := s.readFirst(); err != nil {
		file.Close()
		return nil, err
	}
	return s, nil
}

func (s *source) Schema() formats.Schema { return s.schema }

func (s *source) Close() error { return s.file.Close() }

// Nodes yields nothing: edges bring their end points into being.
func (s *source) Nodes(context.Context, func(*formats.NodeBatch) error) error { return nil }

// Edges streams all lines; the first has been read by Open.
func (s *source) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	edges := batch.NewEdges(ctx, s.opts.Mem(), s.file.Path, s.schema.Edge, yield)
	defer edges.Release()
	for ok := true; ok; ok = s.nextRow() {
		if err := s.parse(edges); err != nil {
			return err
		}
	}
	if err := s.lines.Err(); err != nil {
		return err
	}
	return edges.Flush()
}

// nextRow goes to the next line that holds an edge.
func (s *source) nextRow() bool {
	for s.lines.Next() {
		if !IsComment(s.lines.Bytes()) {
			return true
		}
	}
	return false
}

// IsComment is true for a line that holds no edge: a comment or a blank line.
func IsComment(line []byte) bool {
	line = bytes.TrimLeft(line, " \t")
	return len(line) == 0 || line[0] == '#' || line[0] == '%' || bytes.HasPrefix(line, []byte("//"))
}

func (s *source) readFirst() error {
	if !s.nextRow() {
		if err := s.lines.Err(); err != nil {
			return err
		}
		return &formats.ParseError{Position: s.file.At(0), Found: "no edges", Expected: expectedFields + " on each line"}
	}
	s.width = s.fields.Count(s.lines.Bytes())
	s.header = s.lines.Number()
	if s.width <= 2 {
		return nil
	}
	var err error
	s.schema.Edge, err = s.edgeSchema()
	return err
}

// edgeSchema names the number columns: as the user does, then "weight", "column4", "column5" …
func (s *source) edgeSchema() (*arrow.Schema, error) {
	fields := make([]arrow.Field, 0, s.width-2)
	for i := range s.width - 2 {
		name := formats.WeightColumn
		switch {
		case i < len(s.opts.Columns):
			name = s.opts.Columns[i]
		case i > 0:
			name = "column" + strconv.Itoa(i+3)
		}
		if slices.ContainsFunc(fields, func(f arrow.Field) bool { return f.Name == name }) {
			return nil, s.lines.Bad(0, fmt.Sprintf("two columns called %q", name), "different names")
		}
		fields = append(fields, arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Float64, Nullable: true})
	}
	return arrow.NewSchema(fields, nil), nil
}

func (s *source) parse(edges *batch.Edges) error {
	s.fields.Reset(s.lines.Bytes())
	if err := s.appendID(&edges.Src); err != nil {
		return err
	}
	if err := s.appendID(&edges.Dst); err != nil {
		return err
	}
	if s.header != 0 {
		if err := s.checkHeader(edges); err != nil {
			return err
		}
	}
	for i := range s.width - 2 {
		x, err := s.number()
		if err != nil {
			return err
		}
		edges.Float(i).Append(x)
	}
	if _, more := s.fields.Next(); more {
		return s.badWidth()
	}
	return edges.EndRow(s.lines.Number())
}

func (s *source) appendID(ids *formats.IDs) error {
	field, ok := s.fields.Next()
	if !ok {
		return s.badWidth()
	}
	if !batch.AppendID(ids, field) {
		return s.lines.Bad(s.fields.Column, "id "+input.Quote(field), batch.ExpectedID)
	}
	return nil
}

// checkHeader refuses a first line of names before lines of integers: column titles
// that would otherwise become an edge.
func (s *source) checkHeader(edges *batch.Edges) error {
	if s.header == s.lines.Number() {
		if edges.Src.Strings == nil || edges.Dst.Strings == nil {
			s.header = 0
		}
		return nil
	}
	title := s.header
	s.header = 0
	if edges.Src.Strings[1] != "" || edges.Dst.Strings[1] != "" {
		return nil
	}
	found := fmt.Sprintf("names %q and %q before lines of integers", edges.Src.Strings[0], edges.Dst.Strings[0])
	return &formats.ParseError{Position: s.file.At(title), Found: found, Expected: "an edge; put # before column titles"}
}

func (s *source) number() (float64, error) {
	field, ok := s.fields.Next()
	if !ok {
		return 0, s.badWidth()
	}
	x, ok := input.ParseFloat(field)
	if !ok {
		return 0, s.lines.Bad(s.fields.Column, input.Quote(field), expectedNumber)
	}
	return x, nil
}

func (s *source) badWidth() error {
	n := s.fields.Count(s.lines.Bytes())
	if n < 2 {
		return s.lines.BadLine(expectedFields)
	}
	return s.lines.Bad(0, fmt.Sprintf("%d fields", n), fmt.Sprintf("%d, as on the first line", s.width))
}
