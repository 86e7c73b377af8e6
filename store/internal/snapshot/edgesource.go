package snapshot

import (
	"context"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/arrays"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// Edges yields the entries of the out-chunks; of an undirected graph those that lead
// from the smaller dense id to the larger, and self-loops.
func (s *snapshotSource) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	m := s.snapshot.manifest
	schema, err := schemaOf(m.EdgeProperties)
	if err != nil {
		return err
	}
	ids, err := s.snapshot.UserIDs(ctx, 0, m.Vertices)
	if err != nil {
		return err
	}
	b := &edgeBatcher{source: s, schema: schema, ids: ids, yield: yield}
	for _, info := range m.Chunks(chunk.Out) {
		if err := s.snapshot.WholeChunk(ctx, info, b.chunk); err != nil {
			return err
		}
	}
	return nil
}

// edgeBatcher makes edge batches of chunks.
type edgeBatcher struct {
	source *snapshotSource
	schema *arrow.Schema
	ids    formats.IDs // by dense id
	yield  func(*formats.EdgeBatch) error

	rows   []uint32 // of the chunk's entries that are yet to be yielded: the dense source
	places []int    // and the place in the chunk
}

func (b *edgeBatcher) chunk(c *chunk.Chunk) error {
	base := uint32(c.Meta().Rows.Base)
	offsets, neighbors, vertices := c.Offsets(), c.Neighbors(), c.Vertices()
	once := c.Meta().Direction == chunk.Both
	for i := range c.Rows() {
		row := base + uint32(i)
		if vertices != nil {
			row = base + vertices[i]
		}
		for at := int(offsets[i]); at < int(offsets[i+1]); at++ {
			if once && neighbors[at] < row {
				continue
			}
			b.rows, b.places = append(b.rows, row), append(b.places, at)
			if len(b.rows) == formats.BatchRows {
				if err := b.flush(c); err != nil {
					return err
				}
			}
		}
	}
	return b.flush(c)
}

// flush yields the collected entries of c.
func (b *edgeBatcher) flush(c *chunk.Chunk) error {
	if len(b.rows) == 0 {
		return nil
	}
	batch := &formats.EdgeBatch{Where: b.source.where}
	neighbors := c.Neighbors()
	for i, row := range b.rows {
		neighbor := neighbors[b.places[i]]
		AppendID(&batch.Src, b.ids, row)
		AppendID(&batch.Dst, b.ids, neighbor)
		batch.SrcNumbers = append(batch.SrcNumbers, int64(row))
		batch.DstNumbers = append(batch.DstNumbers, int64(neighbor))
	}
	if err := b.types(c, batch); err != nil {
		return err
	}
	if err := b.props(c, batch); err != nil {
		return err
	}
	if batch.Props != nil {
		defer batch.Props.Release()
	}
	b.rows, b.places = b.rows[:0], b.places[:0]
	return b.yield(batch)
}

func AppendID(to *formats.IDs, ids formats.IDs, dense uint32) {
	if n, text := ids.At(int(dense)); text != "" {
		to.Append(text)
	} else {
		to.AppendInt(n)
	}
}

// types fills in the relationship types, if the graph has any.
func (b *edgeBatcher) types(c *chunk.Chunk, batch *formats.EdgeBatch) error {
	codes, ok := c.Column(manifest.TypeColumn)
	if !ok {
		return nil
	}
	names := b.source.snapshot.manifest.Types
	batch.Types = make([]string, len(b.places))
	for i, at := range b.places {
		if codes.IsNull(at) {
			continue
		}
		code, ok := CodeAt(codes, at)
		if !ok || code >= len(names) {
			return b.source.snapshot.Mistyped("edge types")
		}
		batch.Types[i] = names[code]
	}
	return nil
}

func CodeAt(codes arrow.Array, i int) (int, bool) {
	switch codes := codes.(type) {
	case *array.Uint16:
		return int(codes.Value(i)), true
	case *array.Uint32:
		return int(codes.Value(i)), true
	}
	return 0, false
}

// props gathers the properties of the collected entries.
func (b *edgeBatcher) props(c *chunk.Chunk, batch *formats.EdgeBatch) error {
	if b.schema == nil {
		return nil
	}
	columns := make([]arrow.Array, 0, b.schema.NumFields())
	defer func() { arrays.ReleaseArrays(columns) }()
	for _, p := range b.source.snapshot.manifest.EdgeProperties {
		stored, err := p.Field()
		if err != nil {
			return err
		}
		values, ok := c.Column(p.Name)
		if !ok || !arrow.TypeEqual(values.DataType(), stored.Type) {
			return b.source.snapshot.Mistyped("edge property " + p.Name)
		}
		columns = append(columns, arrays.SourceValues(b.source.mem, stored, arrays.Gather(values, b.places)))
	}
	batch.Props = array.NewRecord(b.schema, columns, int64(len(b.places)))
	return nil
}
