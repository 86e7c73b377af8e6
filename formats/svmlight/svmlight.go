// Package svmlight reads samples with sparse features, as SVMlight and LIBSVM write them.
//
//	-1 3:1 11:1 14:0.5     a label, and index:value of each feature that is not zero, in ascending order
//	+1 4:1 # a comment     indices count from 1
//
// Samples are numbered from 1 in the order of their lines, features by their indices. A sample without features is one;
// blank lines and those that start with # are none. What LIBSVM calls a multi-label problem, and SVMlight's qid, are
// not read.
package svmlight

import (
	"bytes"
	"context"
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/batch"
	"github.com/penstock-db/penstock/formats/input"
)

// Names of properties: of samples, and of what leads from them to their features.
const (
	Label = "label"
	Value = "value"
)

const (
	expectedLine  = "a label and index:value pairs, parted by blanks"
	expectedLabel = "a label that is one finite number"
	expectedIndex = "an index from 1 to 9223372036854775807, a colon and a finite value"
)

// source reads the features of samples. It holds one batch.
type source struct {
	file   *input.File
	opts   formats.Options
	schema formats.Schema
}

// Open owns file from then on. Edges lead from samples to features; the two have ids of their own, see package
// bipartite.
func Open(file *input.File, opts formats.Options) (formats.Source, error) {
	value := arrow.Field{Name: Value, Type: arrow.PrimitiveTypes.Float64, Nullable: true}
	return &source{file: file, opts: opts, schema: formats.Schema{Orientation: formats.Directed, IntegerIDs: true,
		Edge: arrow.NewSchema([]arrow.Field{value}, nil), Vertices: -1, Edges: -1}}, nil
}

func (s *source) Schema() formats.Schema { return s.schema }

func (s *source) Close() error { return s.file.Close() }

// Nodes yields nothing: Labels reads samples.
func (s *source) Nodes(context.Context, func(*formats.NodeBatch) error) error { return nil }

func (s *source) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	edges := batch.NewEdges(ctx, s.opts.Mem(), s.file.Path, s.schema.Edge, yield)
	defer edges.Release()
	lines := s.file.Lines()
	for sample := int64(1); next(lines); sample++ {
		if err := addSample(edges, lines, sample); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return edges.Flush()
}

// addSample adds the features of the sample that lines is at.
func addSample(edges *batch.Edges, lines *input.Lines, sample int64) error {
	var fields input.Fields
	if _, err := label(lines, &fields); err != nil {
		return err
	}
	last := int64(0)
	for {
		field, ok := fields.Next()
		if !ok {
			return nil
		}
		index, value, ok := pair(field)
		switch {
		case !ok:
			return lines.Bad(fields.Column, input.Quote(field), expectedIndex)
		case index <= last:
			return lines.Bad(fields.Column, fmt.Sprintf("index %d after %d", index, last), "indices in ascending order")
		}
		last = index
		edges.Float(0).Append(value)
		if err := edges.Add(sample, index, lines.Number()); err != nil {
			return err
		}
	}
}

// pair reads index:value.
func pair(field []byte) (index int64, value float64, ok bool) {
	before, after, found := bytes.Cut(field, []byte{':'})
	index, integer := formats.ParseID(string(before))
	value, finite := input.ParseFloat(after)
	return index, value, found && integer && index > 0 && finite
}

// label reads the label of the line that lines is at; fields gives the rest of it.
func label(lines *input.Lines, fields *input.Fields) (float64, error) {
	fields.Reset(content(lines.Bytes()))
	field, _ := fields.Next()
	x, ok := input.ParseFloat(field)
	if !ok {
		return 0, lines.Bad(fields.Column, "label "+input.Quote(field), expectedLabel)
	}
	return x, nil
}

// content is a line without its comment.
func content(line []byte) []byte {
	line, _, _ = bytes.Cut(line, []byte{'#'})
	return line
}

// next goes to the next line that holds a sample.
func next(lines *input.Lines) bool {
	for lines.Next() {
		if len(bytes.TrimSpace(content(lines.Bytes()))) > 0 {
			return true
		}
	}
	return false
}

// Sniff is true when a file that begins with first begins with a sample that has features.
func Sniff(first []byte, _ string) bool {
	for line := range bytes.Lines(first) {
		var fields input.Fields
		fields.Reset(bytes.TrimRight(content(line), "\r\n"))
		field, ok := fields.Next()
		if !ok {
			continue
		}
		if _, ok = input.ParseFloat(field); !ok {
			return false
		}
		field, _ = fields.Next()
		_, _, ok = pair(field)
		return ok
	}
	return false
}
