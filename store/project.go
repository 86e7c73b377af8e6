package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/store/internal/arrays"
	"github.com/penstock-db/penstock/store/internal/directory"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/projection"
	"github.com/penstock-db/penstock/store/internal/snapshot"
	"github.com/penstock-db/penstock/store/internal/space"
)

type (
	// Projection says which part of a graph is meant. The zero value is all of it.
	Projection = projection.Projection
	// Orientation says how relationships lead in a part.
	Orientation = projection.Orientation
	// Drawn is a graph that a statement has drawn up, of a Projection.
	Drawn = projection.Drawn
	// DrawnColumn is a property, as a list of values.
	DrawnColumn = projection.Column
	// AddedProperty is one that vertices have in a Projection.
	AddedProperty = projection.Added
	// Linked are relationships that a Projection has beside the graph's.
	Linked = projection.Linked
	// LinkedProperty is a property of Linked relationships.
	LinkedProperty = projection.LinkedProperty
	// LinkedPropertyError says that relationships would have two properties of a name.
	LinkedPropertyError = projection.LinkedPropertyError
	// OutdatedError says that a Projection is of an earlier state of a graph.
	OutdatedError = projection.OutdatedError
	// OrientationError says that there is no such orientation.
	OrientationError = projection.OrientationError
)

// Orientations lists what a Projection's may be.
var Orientations = projection.Orientations

// Part is a snapshot of a part of a graph. Nobody else sees it: no manifest of the database names it, so that it is
// deleted when it is closed or, should the process be killed, when the database is opened again. Its vertices have
// dense ids of their own, in the order of those of the whole, and the users' ids.
type Part struct {
	*snapshot.Snapshot
	part  *projection.Part
	whole *snapshot.Snapshot // which stays open as long as the part
	db    *DB
}

// Project stores the part of whole that p says, with all properties. It takes the memory of a load (see LoadOptions),
// and 8 bytes for each vertex of whole. The part owns whole from then on, and closes it when it is closed; where there
// is an error, whole stays the caller's.
//
// Errors: *UnknownNameError, *OrientationError, *OutdatedError, *LinkedPropertyError, *ReadOnlyError, *TooLargeError,
// *MemoryError, *DiskFullError, *DamagedError.
func (db *DB) Project(ctx context.Context, whole *snapshot.Snapshot, p Projection) (*Part, error) {
	vertices, err := projection.New(ctx, whole, p)
	if err != nil {
		return nil, err
	}
	places, err := vertices.Places(ctx)
	if err != nil {
		return nil, err
	}
	part := &Part{part: vertices, whole: whole, db: db}
	old := whole.Manifest()
	name := fmt.Sprintf("%s (%s)", old.Graph, p)
	err = db.generate(ctx, name, func(g *writing) error {
		src := vertices.Source(db.mem)
		m, err := load.Run(ctx, g.Generation, src, load.Options{Order: manifest.OrderNone, Source: old.Source},
			&load.Again{Places: places}, directory.Temp(db.dir))
		if err != nil {
			return space.DiskFull(db.dir, errors.Join(err, src.Close()))
		}
		m.Anonymous, m.Created = old.Anonymous, time.Now().UTC()
		keepProvenance(m.NodeProperties, old.NodeProperties)
		keepProvenance(m.EdgeProperties, old.EdgeProperties)
		computed(m.NodeProperties, p.Added)
		if err := errors.Join(g.FlushAll(), src.Close(), ctx.Err()); err != nil {
			return err
		}
		db.mu.Lock()
		defer db.mu.Unlock()
		part.Snapshot = db.pin(m)
		return nil
	})
	if err == nil {
		return part, nil
	}
	if part.Snapshot != nil {
		part.Snapshot.Close()
	}
	return nil, err
}

// computed marks properties that a projection has added as the projection's own: a result may take their names.
func computed(properties []manifest.Property, added []AddedProperty) {
	for i := range properties {
		if slices.ContainsFunc(added, func(a AddedProperty) bool { return a.Name == properties[i].Name }) {
			properties[i].Provenance = &manifest.Provenance{}
		}
	}
}

// Whole is the snapshot that the part is of.
func (p *Part) Whole() *snapshot.Snapshot { return p.whole }

// Vertex is the dense id in the whole of one in the part.
func (p *Part) Vertex(dense uint64) uint64 { return p.part.Whole(dense) }

// Close deletes the part and lets go of the whole.
func (p *Part) Close() {
	p.Snapshot.Close()
	p.whole.Close()
}

// WriteProperties stores node properties of the part's vertices beside those that the whole has, as DB.WriteProperties
// does; columns have a value for each vertex of the part. A vertex outside keeps the value that it has of an earlier
// result of the same name and type, or has none.
//
// Errors: those of DB.WriteProperties.
func (p *Part) WriteProperties(ctx context.Context, columns []PropertyColumn, run manifest.Provenance) (
	*manifest.Manifest, error) {
	spread := make([]PropertyColumn, len(columns))
	for i, c := range columns {
		values, err := p.spread(ctx, c)
		if err != nil {
			return nil, err
		}
		defer values.Release()
		spread[i] = PropertyColumn{Name: c.Name, Values: values}
	}
	return p.db.WriteProperties(ctx, p.whole, spread, run)
}

// spread is a column of the whole with the values of the part's vertices in it.
func (p *Part) spread(ctx context.Context, c PropertyColumn) (arrow.Array, error) {
	m := p.whole.Manifest()
	to := arrays.NewCellBuilder(c.Values.DataType(), int(m.Vertices))
	part, cells := uint64(0), arrays.NewCells(c.Values.Data())
	var spelled []byte
	add := func(from *arrays.Cells, at int) {
		if from == nil || from.Null(at) {
			to.AppendNull()
			return
		}
		spelled = from.Append(spelled[:0], at)
		to.Append(spelled)
	}
	err := p.earlier(ctx, c, func(first uint64, rows int, old *arrays.Cells) {
		for i := range rows {
			if part < uint64(c.Values.Len()) && p.Vertex(part) == first+uint64(i) {
				add(cells, int(part))
				part++
				continue
			}
			add(old, i)
		}
	})
	if err != nil {
		return nil, err
	}
	return to.Array(), nil
}

// earlier goes over the vertices of the whole in blocks, with what an earlier result of the column's name and type has
// of them; nil: there is none.
func (p *Part) earlier(ctx context.Context, c PropertyColumn,
	block func(first uint64, rows int, old *arrays.Cells)) error {
	m := p.whole.Manifest()
	old, found := m.NodeProperty(c.Name)
	if found {
		field, err := old.Field()
		if err != nil {
			return err
		}
		found = arrow.TypeEqual(field.Type, c.Values.DataType())
	}
	for first := uint64(0); first < m.Vertices; first += manifest.BlockRows {
		rows := int(min(manifest.BlockRows, m.Vertices-first))
		if !found {
			block(first, rows, nil)
			continue
		}
		values, err := p.whole.Block(manifest.NamedColumn{Column: &old.Column, Name: old.Name},
			uint32(first/manifest.BlockRows))
		if err != nil {
			return err
		}
		block(first, rows, arrays.NewCells(values.Data()))
		values.Release()
	}
	return ctx.Err()
}
