// Package dimacs reads the graph files of the 9th DIMACS implementation challenge
// (shortest paths) and of the PACE challenges (tree width), told apart by line "p".
//
//	c any comment                       c any comment
//	p sp 3 2      directed              p tw 3 2      undirected
//	a 1 2 17      source target weight  1 2
//	a 2 3 4                             2 3
//
// Vertices are 1 … n, all declared; as many edges must follow as line "p" announces.
package dimacs

import (
	"bytes"
	"context"
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/batch"
	"github.com/penstock-db/penstock/formats/input"
)

// maxVertices bounds what line "p" may declare, so that a damaged one is refused at once.
const maxVertices = 1 << 40

const expectedProblem = `a line "p sp" or "p tw" with the number of vertices and edges`

// source reads one file. It holds one batch and the file's buffers.
type source struct {
	file     *input.File
	opts     formats.Options
	lines    *input.Lines
	fields   input.Fields
	weighted bool // "p sp"
	vertices int64
	edges    int64
	problem  formats.Position // of line "p"
	schema   formats.Schema
}

// Open reads up to line "p". It owns file from then on, and closes it when it fails.
// The weights of "p sp" become the Float64 property "weight", or opts.Columns[0].
func Open(file *input.File, opts formats.Options) (formats.Source, error) {
	s := &source{file: file, opts: opts, lines: file.Lines()}
	if err := s.readProblem(); err != nil {
		file.Close()
		return nil, err
	}
	s.schema = formats.Schema{
		Orientation: formats.Undirected, NodesDeclared: true, IntegerIDs: true,
		Vertices: s.vertices, Edges: s.edges, Declared: s.problem,
	}
	if s.weighted {
		name := formats.WeightColumn
		if len(opts.Columns) > 0 {
			name = opts.Columns[0]
		}
		s.schema.Orientation = formats.Directed
		s.schema.Edge = arrow.NewSchema([]arrow.Field{{Name: name, Type: arrow.PrimitiveTypes.Float64, Nullable: true}}, nil)
	}
	return s, nil
}

func (s *source) readProblem() error {
	if !s.nextLine() {
		if err := s.lines.Err(); err != nil {
			return err
		}
		return s.lines.Bad(0, "the end of the file", expectedProblem)
	}
	words := bytes.Fields(s.lines.Bytes())
	if len(words) != 4 || string(words[0]) != "p" {
		return s.lines.BadLine(expectedProblem)
	}
	vertices, ok1 := formats.ParseID(string(words[2]))
	edges, ok2 := formats.ParseID(string(words[3]))
	kind := string(words[1])
	if !ok1 || !ok2 || vertices > maxVertices || kind != "sp" && kind != "tw" {
		return s.lines.BadLine(expectedProblem)
	}
	s.weighted, s.vertices, s.edges, s.problem = kind == "sp", vertices, edges, s.lines.Position()
	return nil
}

// nextLine goes to the next line that is neither blank nor a comment.
func (s *source) nextLine() bool {
	for s.lines.Next() {
		s.fields.Reset(s.lines.Bytes())
		first := s.fields
		if field, ok := first.Next(); ok && string(field) != "c" {
			return true
		}
	}
	return false
}

func (s *source) Schema() formats.Schema { return s.schema }

func (s *source) Close() error { return s.file.Close() }

func (s *source) Nodes(ctx context.Context, yield func(*formats.NodeBatch) error) error {
	return batch.Interval(ctx, 1, s.vertices+1, s.problem, yield)
}

func (s *source) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	edges := batch.NewEdges(ctx, s.opts.Mem(), s.file.Path, s.schema.Edge, yield)
	defer edges.Release()
	for range s.edges {
		if !s.nextLine() {
			return s.tooFew()
		}
		if err := s.parse(edges); err != nil {
			return err
		}
	}
	if s.nextLine() {
		return s.lines.BadLine(fmt.Sprintf("the end: line %d announces %d edges", s.problem.Line, s.edges))
	}
	if err := s.lines.Err(); err != nil {
		return err
	}
	return edges.Flush()
}

func (s *source) tooFew() error {
	if err := s.lines.Err(); err != nil {
		return err
	}
	return s.lines.Bad(0, "the end after too few edges",
		fmt.Sprintf("the %d that line %d announces", s.edges, s.problem.Line))
}

func (s *source) parse(edges *batch.Edges) error {
	if s.weighted {
		if field, _ := s.fields.Next(); string(field) != "a" {
			return s.lines.BadLine(`"a", a source, a target and a weight`)
		}
	}
	src, err := s.vertex()
	if err != nil {
		return err
	}
	dst, err := s.vertex()
	if err != nil {
		return err
	}
	if err := s.weight(edges); err != nil {
		return err
	}
	if field, more := s.fields.Next(); more {
		return s.lines.Bad(s.fields.Column, input.Quote(field)+" after the edge", "the end of the line")
	}
	return edges.Add(src, dst, s.lines.Number())
}

func (s *source) vertex() (int64, error) {
	field, _ := s.fields.Next()
	n, ok := formats.ParseID(string(field))
	if !ok || n < 1 || n > s.vertices {
		return 0, s.lines.Bad(s.fields.Column, "vertex "+input.Quote(field), fmt.Sprintf("a vertex from 1 to %d", s.vertices))
	}
	return n, nil
}

func (s *source) weight(edges *batch.Edges) error {
	if !s.weighted {
		return nil
	}
	field, _ := s.fields.Next()
	x, ok := input.ParseFloat(field)
	if !ok {
		return s.lines.Bad(s.fields.Column, "weight "+input.Quote(field), "a finite number")
	}
	edges.Float(0).Append(x)
	return nil
}
