package store

import (
	"context"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/snapshot"
)

// EdgePropertyColumn is an edge property to be written.
type EdgePropertyColumn struct {
	Name string
	Type arrow.DataType // of a fixed width
	// Of is the values of a chunk's entries, in their order, which WriteEdgeProperties releases. It is asked of every
	// chunk of every direction: an edge must have the same value wherever it stands.
	Of func(*chunk.Chunk) (arrow.Array, error)
}

// WriteEdgeProperties stores edge properties beside those that base has, in one step, as WriteProperties does those of
// nodes. Edge properties lie in the chunks beside the lists, so that all chunks are written anew, one at a time; the
// order of entries, and with it every id, stays. Until the former snapshot is let go of, both are on the disk.
//
// Errors: ErrConflict when base is no longer the graph's current snapshot, *PropertyError, *DamagedError,
// *DiskFullError; those of Of.
func (db *DB) WriteEdgeProperties(ctx context.Context, base *snapshot.Snapshot, columns []EdgePropertyColumn,
	run manifest.Provenance) (*manifest.Manifest, error) {
	properties, err := edgeProperties(base.Manifest(), columns, run)
	if err != nil {
		return nil, err
	}
	return db.write(ctx, base.Manifest().Graph, func(g *writing) (*manifest.Manifest, error) {
		if err := db.checkCurrent(base.Manifest()); err != nil {
			return nil, err
		}
		m := base.Manifest().Next(g.Number)
		m.EdgeProperties = properties
		for _, list := range []*[]manifest.ChunkInfo{&m.Out, &m.In, &m.Both} {
			again := make([]manifest.ChunkInfo, len(*list))
			for i, info := range *list {
				err := base.WholeChunk(ctx, info, func(c *chunk.Chunk) (err error) {
					again[i], err = g.putWith(c, info.Number, columns)
					return err
				})
				if err != nil {
					return nil, err
				}
			}
			*list = again
		}
		return &m, nil
	})
}

// edgeProperties are those of m with columns, in the order that chunks have.
func edgeProperties(m *manifest.Manifest, columns []EdgePropertyColumn, run manifest.Provenance) (
	[]manifest.Property, error) {
	all := slices.Clone(m.EdgeProperties)
	for i, c := range columns {
		if err := m.CheckEdgeResultName(c.Name); err != nil {
			return nil, err
		}
		if named(columns[:i], c.Name) {
			return nil, &failure.PropertyError{Name: c.Name, Reason: "is given twice"}
		}
		if _, fixed := c.Type.(arrow.FixedWidthDataType); !fixed {
			return nil, &failure.PropertyError{Name: c.Name, Reason: "is of type " + c.Type.String() +
				": values of edges have a fixed width, as in-lists have such alone"}
		}
		p, err := manifest.NewProperty(arrow.Field{Name: c.Name, Type: c.Type, Nullable: true})
		if err != nil {
			return nil, err
		}
		p.Provenance = &run
		all = append(slices.DeleteFunc(all, func(old manifest.Property) bool { return old.Name == c.Name }), p)
	}
	return all, nil
}

func named(columns []EdgePropertyColumn, name string) bool {
	return slices.ContainsFunc(columns, func(c EdgePropertyColumn) bool { return c.Name == name })
}

// putWith stores a chunk with more columns, in place of those of their names.
func (g *writing) putWith(c *chunk.Chunk, number uint32, columns []EdgePropertyColumn) (info manifest.ChunkInfo,
	err error) {
	var all []chunk.EdgeColumn
	for _, field := range c.Columns() {
		if values, _ := c.Column(field.Name); !named(columns, field.Name) {
			all = append(all, chunk.EdgeColumn{Name: field.Name, Values: values})
		}
	}
	for _, column := range columns {
		values, err := column.Of(c)
		if err != nil {
			return info, err
		}
		defer values.Release()
		if !arrow.TypeEqual(values.DataType(), column.Type) {
			return info, &failure.PropertyError{Name: column.Name, Reason: "is of type " + values.DataType().String() + ", not " +
				column.Type.String()}
		}
		all = append(all, chunk.EdgeColumn{Name: column.Name, Values: values})
	}
	meta := c.Meta()
	meta.Snapshot = g.Number
	again, err := chunk.FromCSR(g.Mem, meta, c.Vertices(), c.Offsets(), c.Neighbors(), all)
	if err != nil {
		return info, err
	}
	defer again.Release()
	return g.PutChunk(again, number)
}
