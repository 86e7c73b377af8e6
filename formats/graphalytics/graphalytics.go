// Package graphalytics reads graphs in the form of LDBC Graphalytics (specification
// 1.0.1, section 2.2.3): three files that share a name.
//
//	g.v            one vertex id a line, with further numbers in some data sets
//	g.e            "source target" or "source target weight" a line
//	g.properties   optional: direction, counts and the names of the edge properties
package graphalytics

import (
	"context"
	"errors"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/edgelist"
	"github.com/penstock-db/penstock/formats/input"
)

// source reads the vertices itself and the edges as an edge list. It holds one batch
// and the files' buffers.
type source struct {
	vertices *vertices
	edges    formats.Source
	schema   formats.Schema
}

// Open opens the graph of which paths names the .v file, the .e file or both, in any
// order, with or without the .properties file; files that are not named are looked
// for beside. Each may be compressed. Without a .properties file the direction is unknown.
func Open(_ context.Context, paths []string, opts formats.Options) (formats.Source, error) {
	set, err := findFiles(paths)
	if err != nil {
		return nil, err
	}
	props, err := readProperties(set.properties, opts)
	if err != nil {
		return nil, err
	}
	if opts.Columns == nil {
		opts.Columns = props.columns
	}
	files, err := input.OpenAll([]string{set.vertices, set.edges}, opts)
	if err != nil {
		return nil, err
	}
	return open(files[0], files[1], props, opts)
}

func open(vertexFile, edgeFile *input.File, props properties, opts formats.Options) (formats.Source, error) {
	s := &source{edges: noEdges{edgeFile}}
	var err error
	if s.vertices, err = openVertices(vertexFile, opts); err != nil {
		edgeFile.Close()
		return nil, err
	}
	if len(edgeFile.Peek(1)) > 0 {
		if s.edges, err = edgelist.Open(edgeFile, opts); err != nil {
			vertexFile.Close()
			return nil, err
		}
	}
	s.schema = s.edges.Schema()
	s.schema.NodesDeclared, s.schema.Node = true, s.vertices.schema
	s.schema.Orientation, s.schema.Vertices, s.schema.Edges = props.orientation, props.vertices, props.edges
	return s, nil
}

func (s *source) Schema() formats.Schema { return s.schema }

func (s *source) Nodes(ctx context.Context, yield func(*formats.NodeBatch) error) error {
	return s.vertices.nodes(ctx, yield)
}

func (s *source) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	return s.edges.Edges(ctx, yield)
}

func (s *source) Close() error {
	return errors.Join(s.vertices.file.Close(), s.edges.Close())
}

// noEdges stands for an .e file that is empty, which is no mistake here.
type noEdges struct{ *input.File }

func (noEdges) Schema() formats.Schema { return formats.Schema{Vertices: -1, Edges: -1} }

func (noEdges) Nodes(context.Context, func(*formats.NodeBatch) error) error { return nil }

func (noEdges) Edges(context.Context, func(*formats.EdgeBatch) error) error { return nil }
