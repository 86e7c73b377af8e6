package snapshot

import (
	"context"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/store/internal/arrays"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// Source streams the snapshot back out with the users' ids, as an importer would
// have streamed it: nodes in dense order, edges by source. An undirected edge comes
// once, from its end with the smaller dense id. A property that transactions have given
// values of several types, or of one that Arrow has not, comes as text. It holds the ids of
// all vertices while it streams edges, one chunk and one batch. Close does not close the snapshot.
func (s *Snapshot) Source(mem memory.Allocator) formats.Source {
	if mem == nil {
		mem = memory.DefaultAllocator
	}
	return &snapshotSource{snapshot: s, mem: mem}
}

type snapshotSource struct {
	snapshot *Snapshot
	mem      memory.Allocator
}

func (s *snapshotSource) Close() error { return nil }

// Schema leaves out a property whose type cannot be read; Nodes and Edges then report the damage.
func (s *snapshotSource) Schema() formats.Schema {
	m := s.snapshot.manifest
	orientation := formats.Undirected
	if m.Directed {
		orientation = formats.Directed
	}
	node, _ := schemaOf(m.NodeProperties)
	edge, _ := schemaOf(m.EdgeProperties)
	return formats.Schema{
		Orientation: orientation, NodesDeclared: true, Node: node, Edge: edge,
		IntegerIDs: m.IDs.Kind == manifest.IntegerIDs,
		Vertices:   int64(m.Vertices), Edges: int64(m.Edges),
	}
}

// schemaOf is the properties' schema; nil for none.
func schemaOf(properties []manifest.Property) (*arrow.Schema, error) {
	if len(properties) == 0 {
		return nil, nil
	}
	fields := make([]arrow.Field, len(properties))
	for i, p := range properties {
		field, err := p.Field()
		if err != nil {
			return nil, err
		}
		fields[i] = arrays.SourceField(field)
	}
	return arrow.NewSchema(fields, nil), nil
}

// where is the origin of a row in error messages: the graph.
func (s *snapshotSource) where(int) formats.Position {
	return formats.Position{File: "graph " + s.snapshot.manifest.Graph}
}

// Nodes yields one batch for each block of the columns.
func (s *snapshotSource) Nodes(ctx context.Context, yield func(*formats.NodeBatch) error) error {
	m := s.snapshot.manifest
	schema, err := schemaOf(m.NodeProperties)
	if err != nil {
		return err
	}
	for from := uint64(0); from < m.Vertices; from += manifest.BlockRows {
		if err := s.nodes(ctx, schema, from, min(from+manifest.BlockRows, m.Vertices), yield); err != nil {
			return err
		}
	}
	return nil
}

// nodes yields the vertices of the block [from, to).
func (s *snapshotSource) nodes(ctx context.Context, schema *arrow.Schema, from, to uint64,
	yield func(*formats.NodeBatch) error) (err error) {
	batch := &formats.NodeBatch{Where: s.where}
	if batch.ID, err = s.snapshot.UserIDs(ctx, from, to); err != nil {
		return err
	}
	if batch.Labels, err = s.snapshot.Labels(ctx, from, to); err != nil {
		return err
	}
	if schema == nil {
		return yield(batch)
	}
	columns := make([]arrow.Array, 0, schema.NumFields())
	defer func() { arrays.ReleaseArrays(columns) }()
	for _, p := range s.snapshot.manifest.NodeProperties {
		values, err := s.snapshot.Block(manifest.NamedColumn{Column: &p.Column, Name: p.Name},
			uint32(from/manifest.BlockRows))
		if err != nil {
			return err
		}
		stored, err := p.Field()
		if err != nil {
			values.Release()
			return err
		}
		columns = append(columns, arrays.SourceValues(s.mem, stored, values))
	}
	batch.Props = array.NewRecord(schema, columns, int64(to-from))
	defer batch.Props.Release()
	return yield(batch)
}

// Labels are the label sets of vertices [from, to); nil when no vertex has a label.
func (s *Snapshot) Labels(ctx context.Context, from, to uint64) ([]string, error) {
	column := s.manifest.LabelSets.Column
	if column == nil {
		return nil, nil
	}
	sets := s.manifest.LabelSets.Sets
	labels := make([]string, 0, to-from)
	err := s.codes(ctx, *column, "label", from, to, func(_ uint64, codes []uint32) error {
		for _, code := range codes {
			if int(code) >= len(sets) {
				return s.Mistyped("label column")
			}
			labels = append(labels, sets[code])
		}
		return nil
	})
	return labels, err
}
