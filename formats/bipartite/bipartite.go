// Package bipartite makes a graph of two types of vertices of edges whose ends are of one type each, as ratings of
// items by users.
//
//	edges ──first reading──▶ ids of either side ──▶ nodes: User:1, User:2 … Item:1 …
//	edges ──second reading─────────────────────────▶ edges: User:1 → Item:1, of one type
//
// An id is the label and what the file says, parted by a colon, so that user 1 is not item 1. The property id is what
// the file says: an integer where all ids are. Nodes are in the order of their ids: first the left side, integers
// before names, names as they are met.
//
// What is held is the ids of either side: 28 bytes and the text of each integer id, of a name some 70 more; ids that
// lie far apart take as much as names.
package bipartite

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/batch"
	"github.com/penstock-db/penstock/formats/input"
)

// Input is what a format says of a bipartite graph.
type Input struct {
	Paths       []string
	Left, Right Side
	Type        string // of edges that have none of their own
	// Edges opens the edges, without nodes, from the beginning: it is called twice.
	Edges func(opts formats.Options) (formats.Source, error)
}

// Side is one of the two types of vertices.
type Side struct {
	Label string
	// Rows is a property of each vertex of this side, whose ids are 1, 2, 3 …; nil: vertices have but their ids, and
	// are those that edges meet.
	Rows *Rows
}

// Rows are the values of a property, in the order of vertices.
type Rows struct {
	Field arrow.Field
	Open  func() (Reader, error)
}

// Reader reads one value after the other.
type Reader interface {
	// Next appends a value, and tells its line; io.EOF: there is no more.
	Next(to array.Builder) (line int64, err error)
	Close() error
}

// IDProperty is the node property that holds what a file calls a vertex.
const IDProperty = "id"

// shareOfMemory is which part of the memory of a load ids may take: 1/shareOfMemory.
const shareOfMemory = 4

// Source is a bipartite graph.
type Source struct {
	in     Input
	opts   formats.Options
	edges  formats.Source // of the second reading
	sides  [2]*side
	schema formats.Schema
	types  []string // the type, as often as a batch has rows
}

// Open reads the edges for the first time.
//
// Errors: *formats.ParseError, *formats.LimitError.
func Open(ctx context.Context, in Input, opts formats.Options) (*Source, error) {
	if err := check(in); err != nil {
		return nil, err
	}
	s := &Source{in: in, opts: opts}
	limit := int64(0)
	if opts.Memory > 0 {
		limit = opts.Memory / shareOfMemory
	}
	for k, part := range []Side{in.Left, in.Right} {
		s.sides[k] = newSide(part, limit)
	}
	if err := s.readIDs(ctx); err != nil {
		return nil, err
	}
	edges, err := in.Edges(readingOf(opts, 2))
	if err != nil {
		return nil, err
	}
	s.edges = edges
	s.schema = formats.Schema{
		Orientation: formats.Directed, NodesDeclared: true, Node: s.nodeSchema(), Edge: edges.Schema().Edge,
		Vertices: -1, Edges: edges.Schema().Edges,
	}
	return s, nil
}

// check refuses what cannot be read, or not be told apart.
func check(in Input) error {
	at := formats.Position{File: in.Paths[0]}
	for _, path := range in.Paths {
		if path == input.Stdin {
			return &formats.ParseError{Position: formats.Position{File: "standard input"},
				Found:    "an input that can be read only once",
				Expected: "a file, because a bipartite graph is read twice: for the ids of either side, and for its edges"}
		}
	}
	if in.Left.Label == in.Right.Label {
		return &formats.ParseError{Position: at, Found: fmt.Sprintf("%s on the left and on the right", in.Left.Label),
			Expected: "two labels, to tell the types of vertices apart"}
	}
	return nil
}

// readingOf are options of one of two readings, each of which is half of the progress.
func readingOf(opts formats.Options, reading int64) formats.Options {
	if progress := opts.Progress; progress != nil {
		opts.Progress = func(read, total int64) { progress((reading-1)*total+read, 2*total) }
	}
	return opts
}

// readIDs is the first reading.
func (s *Source) readIDs(ctx context.Context) error {
	edges, err := s.in.Edges(readingOf(s.opts, 1))
	if err != nil {
		return err
	}
	err = s.meet(ctx, edges)
	if err = errors.Join(err, edges.Close()); err != nil {
		return err
	}
	for _, side := range s.sides {
		side.number()
	}
	return nil
}

// meet notes the ends of all edges.
func (s *Source) meet(ctx context.Context, edges formats.Source) error {
	if edges.Schema().NodesDeclared {
		return &formats.ParseError{Position: formats.Position{File: s.in.Paths[0]}, Found: "a graph that declares its nodes",
			Expected: "edges alone, whose ends are " + s.in.Left.Label + " and " + s.in.Right.Label}
	}
	met := false
	err := edges.Edges(ctx, func(b *formats.EdgeBatch) error {
		met = true
		if err := s.sides[0].meet(b.Src, b.Where); err != nil {
			return err
		}
		return s.sides[1].meet(b.Dst, b.Where)
	})
	if err == nil && !met {
		err = &formats.ParseError{Position: formats.Position{File: s.in.Paths[0]}, Found: "no edges",
			Expected: fmt.Sprintf("at least one, from %s to %s", s.in.Left.Label, s.in.Right.Label)}
	}
	return err
}

// nodeSchema is the ids and what else is known of vertices.
func (s *Source) nodeSchema() *arrow.Schema {
	id := arrow.Field{Name: IDProperty, Type: arrow.PrimitiveTypes.Int64, Nullable: true}
	if len(s.sides[0].names)+len(s.sides[1].names) > 0 {
		id.Type = arrow.BinaryTypes.String
	}
	fields := []arrow.Field{id}
	for _, side := range s.sides {
		if side.Rows != nil {
			fields = append(fields, side.Rows.Field)
		}
	}
	return arrow.NewSchema(fields, nil)
}

// Held is what the ids take, in bytes, until Close.
func (s *Source) Held() int64 { return s.sides[0].bytes + s.sides[1].bytes }

func (s *Source) Schema() formats.Schema { return s.schema }

func (s *Source) Close() error { return s.edges.Close() }

func (s *Source) Nodes(ctx context.Context, yield func(*formats.NodeBatch) error) error {
	column := 1
	for _, side := range s.sides {
		nodes := batch.NewNodes(ctx, s.opts.Mem(), s.in.Paths[0], s.schema.Node, func(b *formats.NodeBatch) error {
			b.Labels = side.labels(b.ID.Len())
			return yield(b)
		})
		err := s.yieldSide(side, nodes, column)
		nodes.Release()
		if err != nil {
			return err
		}
		if side.Rows != nil {
			column++
		}
	}
	return nil
}

// yieldSide hands the vertices of one side on. Its property, if it has one, is the column of that number.
func (s *Source) yieldSide(side *side, nodes *batch.Nodes, column int) (err error) {
	rows := Reader(noRows{})
	if side.Rows != nil {
		if rows, err = side.Rows.Open(); err != nil {
			return err
		}
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for i := 0; ; i++ {
		line := int64(0)
		if side.Rows != nil {
			if line, err = rows.Next(nodes.Column(column)); errors.Is(err, io.EOF) {
				break
			}
			if err == nil {
				err = side.grow(formats.Position{File: s.in.Paths[0], Line: line})
			}
			if err != nil {
				return err
			}
		} else if i == side.len() {
			break
		}
		nodes.ID.Append(side.texts[i])
		s.appendID(nodes.Column(0), side, i)
		for c := 1; c < s.schema.Node.NumFields(); c++ {
			if side.Rows == nil || c != column {
				nodes.Column(c).AppendNull()
			}
		}
		if err := nodes.EndRow(line); err != nil {
			return err
		}
	}
	if err := side.complete(s.in.Paths[0]); err != nil {
		return err
	}
	return nodes.Flush()
}

func (s *Source) appendID(column array.Builder, side *side, i int) {
	switch column := column.(type) {
	case *array.Int64Builder:
		column.Append(side.ints[i])
	case *array.StringBuilder:
		column.Append(side.said(i))
	}
}

// noRows is the property that there is not.
type noRows struct{}

func (noRows) Next(array.Builder) (int64, error) { return 0, io.EOF }
func (noRows) Close() error                      { return nil }

// Edges is the second reading.
func (s *Source) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	out := formats.EdgeBatch{}
	return s.edges.Edges(ctx, func(b *formats.EdgeBatch) error {
		out.Props, out.Where, out.Types = b.Props, b.Where, b.Types
		if b.Types == nil {
			for len(s.types) < b.Src.Len() {
				s.types = append(s.types, s.in.Type)
			}
			out.Types = s.types[:b.Src.Len()]
		}
		var err error
		if out.SrcNumbers, err = s.sides[0].find(b.Src, &out.Src, 0, out.SrcNumbers, b.Where); err != nil {
			return err
		}
		first := int64(s.sides[0].len())
		if out.DstNumbers, err = s.sides[1].find(b.Dst, &out.Dst, first, out.DstNumbers, b.Where); err != nil {
			return err
		}
		return yield(&out)
	})
}
