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

// source reads one file. It holds a batch for each of input.Lines.Parse's parsers.
type source struct {
	file   *input.File
	opts   formats.Options
	lines  *input.Lines
	schema formats.Schema
	width  int // fields on each line
}

// Open reads up to the first edge and takes the columns from it. It owns file from
// then on, and closes it when it fails. A file without any edge is an error.
//
// The counts in a SNAP header ("# Nodes: 7115 Edges: 103689") are not taken as a
// promise: published files count duplicates and directions in different ways.
func Open(file *input.File, opts formats.Options) (formats.Source, error) {
	s := &source{file: file, opts: opts, lines: file.Lines()}
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
	if err := s.head(ctx, yield); err != nil {
		return err
	}
	return s.lines.Parse(ctx, input.Blocks{Row: len("1 2\n")}, func() input.Parser { return s.newRows(ctx, yield) })
}

// head streams the first two edges when it takes both to tell whether the first line
// holds column titles.
func (s *source) head(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	first := s.newRows(ctx, yield)
	defer first.Release()
	line := s.lines.Number()
	if err := first.add(s.lines); err != nil {
		return err
	}
	if first.edges.Src.Strings == nil || first.edges.Dst.Strings == nil {
		s.lines.Back()
		return nil
	}
	if nextRow(s.lines) {
		if err := first.add(s.lines); err != nil {
			return err
		}
		if err := s.checkTitles(first.edges, line); err != nil {
			return err
		}
	}
	if err := s.lines.Err(); err != nil {
		return err
	}
	return first.Flush(0)
}

// checkTitles refuses a first line of names before one of integers: column titles
// that would otherwise become an edge.
func (s *source) checkTitles(edges *batch.Edges, line int64) error {
	if edges.Src.Strings[1] != "" || edges.Dst.Strings[1] != "" {
		return nil
	}
	found := fmt.Sprintf("names %q and %q before lines of integers", edges.Src.Strings[0], edges.Dst.Strings[0])
	return &formats.ParseError{Position: s.file.At(line), Found: found, Expected: "an edge; put # before column titles"}
}

// nextRow goes to the next line that holds an edge.
func nextRow(lines *input.Lines) bool {
	for lines.Next() {
		if !IsComment(lines.Bytes()) {
			return true
		}
	}
	return false
}

// IsComment is true for a line that holds no edge: a comment or a blank line.
func IsComment(line []byte) bool {
	for len(line) > 0 && (line[0] == ' ' || line[0] == '\t') {
		line = line[1:]
	}
	return len(line) == 0 || line[0] == '#' || line[0] == '%' || bytes.HasPrefix(line, []byte("//"))
}

func (s *source) readFirst() error {
	if !nextRow(s.lines) {
		if err := s.lines.Err(); err != nil {
			return err
		}
		return &formats.ParseError{Position: s.file.At(0), Found: "no edges", Expected: expectedFields + " on each line"}
	}
	s.width = input.Fields{Comma: true}.Count(s.lines.Bytes())
	if s.width > formats.MaxColumns {
		return s.lines.TooWide()
	}
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
