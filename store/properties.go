package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/store/internal/arrays"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/snapshot"
)

// PropertyColumn is a node property to be written: one value a vertex, in dense
// order, nulls allowed.
type PropertyColumn struct {
	Name   string
	Values arrow.Array
}

// WriteProperties stores node properties beside those that base has, in one step: the
// graph gets a new snapshot that shares everything else with base. An earlier result
// of the same name is replaced; a property that was loaded is not.
//
// Errors: ErrConflict when base is no longer the graph's current snapshot,
// *PropertyError, *DiskFullError.
func (db *DB) WriteProperties(ctx context.Context, base *snapshot.Snapshot, columns []PropertyColumn,
	run manifest.Provenance) (*manifest.Manifest, error) {
	if err := checkColumns(columns, base.Manifest()); err != nil {
		return nil, err
	}
	return db.write(ctx, base.Manifest().Graph, func(g *writing) (*manifest.Manifest, error) {
		if err := db.checkCurrent(base.Manifest()); err != nil {
			return nil, err
		}
		m := base.Manifest().Next(g.Number)
		m.NodeProperties = slices.Clone(m.NodeProperties)
		for _, c := range columns {
			p, err := g.WriteProperty(c.Name, c.Values, run)
			if err != nil {
				return nil, err
			}
			m.NodeProperties = slices.DeleteFunc(m.NodeProperties,
				func(old manifest.Property) bool { return old.Name == p.Name })
			m.NodeProperties = append(m.NodeProperties, p)
		}
		return &m, nil
	})
}

// checkCurrent refuses a base that has been replaced, changed or dropped.
func (db *DB) checkCurrent(base *manifest.Manifest) error {
	names, err := db.names()
	if err != nil {
		return err
	}
	if !slices.Contains(names, base.Graph) {
		return &failure.ConflictError{Graph: base.Graph, Base: base.ID}
	}
	now, err := db.current(base.Graph)
	if err == nil && now.ID != base.ID {
		err = &failure.ConflictError{Graph: base.Graph, Base: base.ID, Current: now.ID}
	}
	return err
}

func checkColumns(columns []PropertyColumn, m *manifest.Manifest) error {
	seen := map[string]bool{}
	for _, c := range columns {
		if err := m.CheckResultName(c.Name); err != nil {
			return err
		}
		switch {
		case seen[c.Name]:
			return &failure.PropertyError{Name: c.Name, Reason: "is given twice"}
		case uint64(c.Values.Len()) != m.Vertices:
			return &failure.PropertyError{Name: c.Name, Reason: fmt.Sprintf("has %d values for %d vertices", c.Values.Len(),
				m.Vertices)}
		case !arrays.Storable(c.Values.DataType()):
			return arrays.Unstorable(c.Name, c.Values.DataType())
		}
		seen[c.Name] = true
	}
	return nil
}
