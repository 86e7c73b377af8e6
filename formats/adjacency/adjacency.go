// Package adjacency reads graphs written as one list of neighbors a line, in three forms.
//
//	adjacency          vertex n1 n2 …   any ids; Open, OpenUndirected
//	METIS and Chaco    n1 n2 …          line k is vertex k, from 1; OpenMetis
//	WebGraph ASCII     n1 n2 …          line k is vertex k, from 0; OpenWebGraph
//
// No reader holds more than one line and one batch. Those that need to know all lines
// before they can tell the vertices or the direction read the file twice.
package adjacency

import (
	"context"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/batch"
	"github.com/penstock-db/penstock/formats/input"
)

// source reads "vertex n1 n2 …" lines: first for the vertices, then for the edges.
type source struct {
	file       *input.File
	opts       formats.Options
	undirected bool
}

// Open takes each list as the targets of out-edges; a target without a list of its own
// is a vertex too. Lines that start with # are comments. It owns file; the file must be one that can be read twice.
func Open(file *input.File, opts formats.Options) (formats.Source, error) {
	return &source{file: file, opts: opts}, nil
}

// OpenUndirected takes lists in which each edge stands twice, once at either end, and
// yields it once. Lists that are not symmetric are an error.
func OpenUndirected(file *input.File, opts formats.Options) (formats.Source, error) {
	return &source{file: file, opts: opts, undirected: true}, nil
}

func (s *source) Schema() formats.Schema {
	orientation := formats.Directed
	if s.undirected {
		orientation = formats.Undirected
	}
	return formats.Schema{Orientation: orientation, NodesDeclared: s.undirected, Vertices: -1, Edges: -1}
}

func (s *source) Close() error { return s.file.Close() }

func (s *source) Nodes(ctx context.Context, yield func(*formats.NodeBatch) error) error {
	if err := s.file.Rewind(); err != nil {
		return err
	}
	nodes := batch.NewNodes(ctx, s.opts.Mem(), s.file.Path, nil, yield)
	err := s.eachList(func(lines *input.Lines, fields *input.Fields, vertex []byte) error {
		if !batch.AppendID(&nodes.ID, vertex) {
			return batch.BadID(lines, fields.Column, vertex)
		}
		return nodes.EndRow(lines.Number())
	})
	if err != nil {
		return err
	}
	return nodes.Flush()
}

func (s *source) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	if err := s.file.Rewind(); err != nil {
		return err
	}
	edges := batch.NewEdges(ctx, s.opts.Mem(), s.file.Path, nil, yield)
	defer edges.Release()
	var pairs symmetry
	err := s.eachList(func(lines *input.Lines, fields *input.Fields, vertex []byte) error {
		return s.addList(edges, &pairs, lines, fields, vertex)
	})
	if err != nil {
		return err
	}
	if s.undirected && !pairs.holds() {
		return &formats.ParseError{Position: s.file.At(0), Found: "an edge that stands in one of its two lists only",
			Expected: "each edge at both of its ends, or the format adjacency"}
	}
	return edges.Flush()
}

// eachList visits the first field of each line that is neither blank nor a comment;
// fields then gives the rest. A file without any is an error.
func (s *source) eachList(visit func(lines *input.Lines, fields *input.Fields, vertex []byte) error) error {
	lines := s.file.Lines()
	var fields input.Fields
	empty := true
	for lines.Next() {
		fields.Reset(lines.Bytes())
		vertex, ok := fields.Next()
		if !ok || vertex[0] == '#' {
			continue
		}
		empty = false
		if err := visit(lines, &fields, vertex); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil || !empty {
		return err
	}
	return &formats.ParseError{Position: s.file.At(0), Found: "no vertices",
		Expected: "a vertex and its neighbors on each line"}
}

func (s *source) addList(edges *batch.Edges, pairs *symmetry, lines *input.Lines, fields *input.Fields,
	vertex []byte) error {
	var from formats.IDs
	if !batch.AppendID(&from, vertex) {
		return batch.BadID(lines, fields.Column, vertex)
	}
	for {
		neighbor, ok := fields.Next()
		if !ok {
			return nil
		}
		if s.undirected && !pairs.add(vertex, neighbor) {
			continue
		}
		if !batch.AppendID(&edges.Dst, neighbor) {
			return batch.BadID(lines, fields.Column, neighbor)
		}
		edges.Src.AppendRow(from, 0)
		if err := edges.EndRow(lines.Number()); err != nil {
			return err
		}
	}
}
