// Package graphalytics reads graphs in the form of LDBC Graphalytics (specification
// 1.0.1, section 2.2.3): three files that share a name.
//
//	g.v            one vertex id a line
//	g.e            "source target" or "source target weight" a line
//	g.properties   optional: direction, counts and the names of the edge properties
package graphalytics

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/batch"
	"github.com/penstock-db/penstock/formats/edgelist"
	"github.com/penstock-db/penstock/formats/input"
)

// source reads the vertices itself and the edges as an edge list. It holds one batch
// and the files' buffers.
type source struct {
	vertices *input.File
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
	props, err := readProperties(set.properties)
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

func open(vertices, edges *input.File, props properties, opts formats.Options) (formats.Source, error) {
	s := &source{vertices: vertices, edges: noEdges{edges}}
	if len(edges.Peek(1)) > 0 {
		var err error
		if s.edges, err = edgelist.Open(edges, opts); err != nil {
			vertices.Close()
			return nil, err
		}
	}
	s.schema = s.edges.Schema()
	s.schema.NodesDeclared = true
	s.schema.Orientation, s.schema.Vertices, s.schema.Edges = props.orientation, props.vertices, props.edges
	return s, nil
}

func (s *source) Schema() formats.Schema { return s.schema }

func (s *source) Nodes(ctx context.Context, yield func(*formats.NodeBatch) error) error {
	nodes := batch.NewNodes(ctx, s.vertices.Path, yield)
	lines := s.vertices.Lines()
	var fields input.Fields
	for lines.Next() {
		fields.Reset(lines.Bytes())
		field, ok := fields.Next()
		if !ok {
			continue
		}
		if _, more := fields.Next(); more || !batch.AppendID(&nodes.ID, field) {
			return lines.BadLine("one vertex: " + batch.ExpectedID)
		}
		if err := nodes.EndRow(lines.Number()); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if lines.Number() == 0 {
		return &formats.ParseError{Position: s.vertices.At(0), Found: "no vertices", Expected: "one vertex id on each line"}
	}
	return nodes.Flush()
}

func (s *source) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	return s.edges.Edges(ctx, yield)
}

func (s *source) Close() error {
	err := s.edges.Close()
	if verr := s.vertices.Close(); err == nil {
		err = verr
	}
	return err
}

// noEdges stands for an .e file that is empty, which is no mistake here.
type noEdges struct{ *input.File }

func (noEdges) Schema() formats.Schema { return formats.Schema{Vertices: -1, Edges: -1} }

func (noEdges) Nodes(context.Context, func(*formats.NodeBatch) error) error { return nil }

func (noEdges) Edges(context.Context, func(*formats.EdgeBatch) error) error { return nil }

// fileSet names the files of one graph; properties is "" when there are none.
type fileSet struct{ vertices, edges, properties string }

func findFiles(paths []string) (fileSet, error) {
	var set fileSet
	var stem string
	for _, path := range paths {
		var ending string
		stem, ending = input.SplitName(path)
		slot := set.slot(ending)
		if slot == nil || *slot != "" {
			return set, &formats.ParseError{
				Position: formats.Position{File: path}, Found: fmt.Sprintf("a file that ends in %q", ending),
				Expected: "one .v file, one .e file and at most one .properties file",
			}
		}
		*slot = path
	}
	for _, ending := range []string{".v", ".e", ".properties"} {
		if slot := set.slot(ending); *slot == "" {
			*slot = findSibling(stem + ending)
		}
	}
	return set, set.check(paths)
}

func (s *fileSet) slot(ending string) *string {
	switch ending {
	case ".v":
		return &s.vertices
	case ".e":
		return &s.edges
	case ".properties":
		return &s.properties
	}
	return nil
}

func (s *fileSet) check(paths []string) error {
	for _, ending := range []string{".v", ".e"} {
		if *s.slot(ending) == "" {
			return &formats.ParseError{
				Position: formats.Position{File: paths[0]}, Found: "no " + ending + " file beside it",
				Expected: "a .v and an .e file of the same name",
			}
		}
	}
	return nil
}

// findSibling is the path, or the path of the archive, that exists; else "".
func findSibling(path string) string {
	candidates := []string{path}
	for _, archive := range input.ArchiveEndings {
		candidates = append(candidates, path+archive)
	}
	i := slices.IndexFunc(candidates, func(candidate string) bool {
		info, err := os.Stat(filepath.Clean(candidate))
		return err == nil && !info.IsDir()
	})
	if i < 0 {
		return ""
	}
	return candidates[i]
}
