package adjacency

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/batch"
	"github.com/penstock-db/penstock/formats/input"
)

// metis reads the graph files of METIS (manual 5.1, section 4.1.1) and Chaco:
//
//	% any comment
//	3 2 1          vertices, edges, form: 1 with edge weights, 0 or 100 without
//	2 7            the neighbors of vertex 1, each followed by its weight
//	1 7 3 5
//	2 5
//
// An edge stands at both of its ends. Where only as many entries as edges are there,
// the graph is directed, as in the files of the GAP benchmark suite.
type metis struct {
	rows
	file   *input.File
	opts   formats.Options
	edges  int64
	header formats.Position
	schema formats.Schema
}

const expectedMetis = "the numbers of vertices and edges, and a form of 0, 1 or 100 (vertex weights and sizes are not supported)"

// OpenMetis reads the whole file once, to count and to tell whether it is directed, so
// it must be one that can be read twice. It owns file, and closes it when it fails.
// Weights become the Float64 property "weight", or opts.Columns[0].
func OpenMetis(file *input.File, opts formats.Options) (formats.Source, error) {
	s := &metis{file: file, opts: opts, rows: rows{base: 1, comment: '%'}}
	if err := s.survey(); err != nil {
		file.Close()
		return nil, err
	}
	return s, nil
}

// survey is the first reading.
func (s *metis) survey() error {
	lines, err := s.start()
	if err != nil {
		return err
	}
	var entries, loops int64
	var pairs symmetry
	err = s.walk(lines, func(src, dst int64, weight float64) error {
		entries++
		if src == dst {
			loops++
		}
		pairs.add(entryKey(src, weight), entryKey(dst, weight))
		return nil
	})
	if err != nil {
		return err
	}
	orientation, err := s.orient(entries, loops, pairs.holds())
	s.schema = formats.Schema{
		Orientation: orientation, NodesDeclared: true, IntegerIDs: true,
		Edge: s.edgeSchema(), Vertices: s.count, Edges: s.edges, Declared: s.header,
	}
	return err
}

// orient tells the direction from the number of entries: each edge twice and a loop
// once, or each edge once.
func (s *metis) orient(entries, loops int64, symmetric bool) (formats.Orientation, error) {
	bad := &formats.ParseError{Position: s.header}
	switch {
	case entries+loops == 2*s.edges && symmetric:
		return formats.Undirected, nil
	case entries+loops == 2*s.edges:
		bad.Found, bad.Expected = "lists in which an edge stands at one end only, or with two weights",
			"each edge at both ends"
		return 0, bad
	case entries == s.edges:
		return formats.Directed, nil
	}
	bad.Found = fmt.Sprintf("%d edges announced, but the lists hold %d entries", s.edges, entries)
	bad.Expected = fmt.Sprintf("%d, each edge at both ends", 2*s.edges-loops)
	return 0, bad
}

// entryKey makes big-endian bytes, which compare as the numbers do, of a vertex and a weight.
func entryKey(vertex int64, weight float64) []byte {
	key := binary.BigEndian.AppendUint64(make([]byte, 0, 16), uint64(vertex))
	return binary.BigEndian.AppendUint64(key, math.Float64bits(weight))
}

func (s *metis) edgeSchema() *arrow.Schema {
	if !s.weighted {
		return nil
	}
	name := formats.WeightColumn
	if len(s.opts.Columns) > 0 {
		name = s.opts.Columns[0]
	}
	return arrow.NewSchema([]arrow.Field{{Name: name, Type: arrow.PrimitiveTypes.Float64, Nullable: true}}, nil)
}

// start goes back to the first byte and reads the header.
func (s *metis) start() (*input.Lines, error) {
	if err := s.file.Rewind(); err != nil {
		return nil, err
	}
	lines := s.file.Lines()
	var fields input.Fields
	for s.next(lines) {
		if n := fields.Count(lines.Bytes()); n > 0 {
			return lines, s.readHeader(lines, n)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return nil, lines.Bad(0, "the end of the file", expectedMetis)
}

func (s *metis) readHeader(lines *input.Lines, width int) error {
	var fields input.Fields
	fields.Reset(lines.Bytes())
	numbers := [3]int64{}
	if width < 2 || width > 3 {
		return lines.BadLine(expectedMetis)
	}
	for i := range width {
		field, _ := fields.Next()
		n, ok := input.ParseInt(field) // not ParseID: the form may be "001"
		if !ok || n < 0 || n > maxVertices {
			return lines.Bad(fields.Column, input.Quote(field), expectedMetis)
		}
		numbers[i] = n
	}
	if form := numbers[2]; form != 0 && form != 1 && form != 100 {
		return lines.Bad(fields.Column, fmt.Sprintf("form %d", form), expectedMetis)
	}
	s.count, s.edges, s.weighted = numbers[0], numbers[1], numbers[2] == 1
	s.header = lines.Position()
	return nil
}

func (s *metis) Schema() formats.Schema { return s.schema }

func (s *metis) Close() error { return s.file.Close() }

func (s *metis) Nodes(ctx context.Context, yield func(*formats.NodeBatch) error) error {
	return batch.Interval(ctx, 1, s.count+1, s.header, yield)
}

// Edges is the second reading. Of an undirected edge it yields the entry at the smaller end.
func (s *metis) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	lines, err := s.start()
	if err != nil {
		return err
	}
	edges := batch.NewEdges(ctx, s.opts.Mem(), s.file.Path, s.schema.Edge, yield)
	defer edges.Release()
	err = s.walk(lines, func(src, dst int64, weight float64) error {
		if s.schema.Orientation == formats.Undirected && src > dst {
			return nil
		}
		if s.weighted {
			edges.Float(0).Append(weight)
		}
		return edges.Add(src, dst, lines.Number())
	})
	if err != nil {
		return err
	}
	return edges.Flush()
}
