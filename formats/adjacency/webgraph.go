package adjacency

import (
	"context"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/batch"
	"github.com/penstock-db/penstock/formats/input"
)

// webgraph reads the ASCIIGraph form of the WebGraph framework (Boldi and Vigna, WWW
// 2004): the number of vertices, then the successors of vertex 0, of vertex 1 …
type webgraph struct {
	rows
	file  *input.File
	opts  formats.Options
	lines *input.Lines
}

// OpenWebGraph reads the first line. It owns file from then on, and closes it when it fails.
func OpenWebGraph(file *input.File, opts formats.Options) (formats.Source, error) {
	s := &webgraph{file: file, opts: opts, lines: file.Lines()}
	if err := s.readHeader(); err != nil {
		file.Close()
		return nil, err
	}
	return s, nil
}

func (s *webgraph) readHeader() error {
	s.lines.Next()
	if err := s.lines.Err(); err != nil {
		return err
	}
	var fields input.Fields
	fields.Reset(s.lines.Bytes())
	field, _ := fields.Next()
	n, ok := formats.ParseID(string(field))
	if _, more := fields.Next(); more || !ok || n > maxVertices {
		return s.lines.BadLine("the number of vertices")
	}
	s.count = n
	return nil
}

func (s *webgraph) Schema() formats.Schema {
	return formats.Schema{
		Orientation: formats.Directed, NodesDeclared: true, IntegerIDs: true,
		Vertices: s.count, Edges: -1, Declared: s.file.At(1),
	}
}

func (s *webgraph) Close() error { return s.file.Close() }

func (s *webgraph) Nodes(ctx context.Context, yield func(*formats.NodeBatch) error) error {
	return batch.Interval(ctx, 0, s.count, s.Schema().Declared, yield)
}

func (s *webgraph) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	edges := batch.NewEdges(ctx, s.opts.Mem(), s.file.Path, nil, yield)
	defer edges.Release()
	err := s.walk(s.lines, func(src, dst int64, _ float64) error {
		return edges.Add(src, dst, s.lines.Number())
	})
	if err != nil {
		return err
	}
	return edges.Flush()
}
