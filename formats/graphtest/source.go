package graphtest

import (
	"context"
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
)

// Source streams g in batches of rows rows. A property that is null in a whole batch
// is left out of it, as a source may do.
func (g *Graph) Source(mem memory.Allocator, rows int) formats.Source {
	return &source{g, mem, rows}
}

type source struct {
	graph *Graph
	mem   memory.Allocator
	rows  int
}

func (s *source) Schema() formats.Schema {
	g := s.graph
	return formats.Schema{
		NodesDeclared: g.NodesDeclared, Node: g.NodeSchema, Edge: g.EdgeSchema, IntegerIDs: g.IntegerIDs,
		Vertices: -1, Edges: int64(len(g.Edges)),
	}
}

func (s *source) Close() error { return nil }

func where(row int) formats.Position { return formats.Position{File: "memory", Line: int64(row) + 1} }

func (s *source) Nodes(_ context.Context, yield func(*formats.NodeBatch) error) error {
	for nodes := s.graph.Nodes; len(nodes) > 0; {
		part := nodes[:min(s.rows, len(nodes))]
		nodes = nodes[len(part):]
		b := &formats.NodeBatch{Where: where}
		var values [][]any
		for _, n := range part {
			b.ID.Append(n.ID)
			values = append(values, n.Values)
			if s.graph.NodeLabels {
				b.Labels = append(b.Labels, n.Labels)
			}
		}
		b.Props = s.record(s.graph.NodeSchema, values)
		if err := s.yield(b.Props, func() error { return yield(b) }); err != nil {
			return err
		}
	}
	return nil
}

func (s *source) Edges(_ context.Context, yield func(*formats.EdgeBatch) error) error {
	for edges := s.graph.Edges; len(edges) > 0; {
		part := edges[:min(s.rows, len(edges))]
		edges = edges[len(part):]
		b := &formats.EdgeBatch{Where: where}
		var values [][]any
		for _, e := range part {
			b.Src.Append(e.Src)
			b.Dst.Append(e.Dst)
			values = append(values, e.Values)
			if s.graph.EdgeType {
				b.Types = append(b.Types, e.Type)
			}
		}
		b.Props = s.record(s.graph.EdgeSchema, values)
		if err := s.yield(b.Props, func() error { return yield(b) }); err != nil {
			return err
		}
	}
	return nil
}

func (s *source) yield(props arrow.Record, yield func() error) error {
	if props != nil {
		defer props.Release()
	}
	return yield()
}

func (s *source) record(schema *arrow.Schema, rows [][]any) arrow.Record {
	if schema == nil {
		return nil
	}
	var fields []arrow.Field
	var columns []arrow.Array
	for i, f := range schema.Fields() {
		b := array.NewBuilder(s.mem, f.Type)
		defer b.Release()
		for _, row := range rows {
			appendValue(b, row[i])
		}
		if b.NullN() == b.Len() {
			continue
		}
		column := b.NewArray()
		defer column.Release()
		fields, columns = append(fields, f), append(columns, column)
	}
	if fields == nil {
		return nil
	}
	return array.NewRecord(arrow.NewSchema(fields, nil), columns, int64(len(rows)))
}

func appendValue(b array.Builder, value any) {
	switch v := value.(type) {
	case nil:
		b.AppendNull()
	case int64:
		b.(*array.Int64Builder).Append(v)
	case float64:
		b.(*array.Float64Builder).Append(v)
	case bool:
		b.(*array.BooleanBuilder).Append(v)
	case string:
		b.(*array.StringBuilder).Append(v)
	case arrow.Date32:
		b.(*array.Date32Builder).Append(v)
	case arrow.Timestamp:
		b.(*array.TimestampBuilder).Append(v)
	case []any:
		list := b.(*array.ListBuilder)
		list.Append(true)
		for _, element := range v {
			appendValue(list.ValueBuilder(), element)
		}
	default:
		panic(fmt.Sprintf("a value of type %T in a test graph", v))
	}
}
