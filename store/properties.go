package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/store/internal/failure"
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
func (db *DB) WriteProperties(ctx context.Context, base *Snapshot, columns []PropertyColumn, run Provenance) (*Manifest, error) {
	if err := checkColumns(columns, base.manifest); err != nil {
		return nil, err
	}
	return db.write(ctx, base.manifest.Graph, func(g *generation) (*Manifest, error) {
		if err := db.checkCurrent(base.manifest); err != nil {
			return nil, err
		}
		m := *base.manifest
		m.Version, m.ID, m.Log = ManifestVersion, g.number, m.log()
		m.NodeProperties = slices.Clone(m.NodeProperties)
		for _, c := range columns {
			p, err := g.writeProperty(c, run)
			if err != nil {
				return nil, err
			}
			m.NodeProperties = slices.DeleteFunc(m.NodeProperties, func(old Property) bool { return old.Name == p.Name })
			m.NodeProperties = append(m.NodeProperties, p)
		}
		return &m, nil
	})
}

// checkCurrent refuses a base that has been replaced, changed or dropped.
func (db *DB) checkCurrent(base *Manifest) error {
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

// CheckResultName tells why a result cannot be written as a node property of this name.
//
// Errors: *PropertyError.
func (m *Manifest) CheckResultName(name string) error {
	old, exists := m.NodeProperty(name)
	switch {
	case name == "":
		return &failure.PropertyError{Name: name, Reason: "needs a name"}
	case strings.HasPrefix(name, ":"): // ":ID" and the like in the files of exporters
		return &failure.PropertyError{Name: name, Reason: "begins with ':', as no property does; choose another name"}
	case !utf8.ValidString(name):
		return &failure.PropertyError{Name: name, Reason: "is not valid UTF-8; choose another name"}
	case name == idProperty && !m.Anonymous:
		return &failure.PropertyError{Name: name, Reason: "is by which statements see the ids of the graph's nodes; choose another name"}
	case exists && old.Provenance == nil:
		return &failure.PropertyError{Name: name, Reason: "was loaded with the graph and is not replaced by a result; choose another name"}
	}
	return nil
}

func checkColumns(columns []PropertyColumn, m *Manifest) error {
	seen := map[string]bool{}
	for _, c := range columns {
		if err := m.CheckResultName(c.Name); err != nil {
			return err
		}
		switch {
		case seen[c.Name]:
			return &failure.PropertyError{Name: c.Name, Reason: "is given twice"}
		case uint64(c.Values.Len()) != m.Vertices:
			return &failure.PropertyError{Name: c.Name, Reason: fmt.Sprintf("has %d values for %d vertices", c.Values.Len(), m.Vertices)}
		case !storable(c.Values.DataType()):
			return unstorable(c.Name, c.Values.DataType())
		}
		seen[c.Name] = true
	}
	return nil
}

// storable is false for types whose values need more than their own array.
func storable(t arrow.DataType) bool {
	return t.ID() != arrow.DICTIONARY && t.ID() != arrow.EXTENSION
}

func unstorable(name string, t arrow.DataType) error {
	return &failure.PropertyError{Name: name, Reason: fmt.Sprintf("has the type %s, which cannot be stored", t)}
}

func (g *generation) writeProperty(c PropertyColumn, run Provenance) (Property, error) {
	w := g.newColumn(arrow.Field{Name: c.Name, Type: c.Values.DataType(), Nullable: true})
	defer w.abandon()
	if err := w.append(c.Values); err != nil {
		return Property{}, err
	}
	column, err := w.finish()
	if err != nil {
		return Property{}, err
	}
	p, err := newProperty(w.field)
	p.Column, p.Provenance = column, &run
	return p, err
}

// NodeProperty reads a node property block by block: yield is told the dense id of
// the first value, and may use values until it returns.
//
// Errors: *UnknownPropertyError, *DamagedError.
func (s *Snapshot) NodeProperty(ctx context.Context, name string, yield func(from uint64, values arrow.Array) error) error {
	p, ok := s.manifest.NodeProperty(name)
	if !ok {
		return &failure.UnknownPropertyError{Graph: s.manifest.Graph, Kind: "node", Name: name, Known: propertyNames(s.manifest.NodeProperties)}
	}
	return s.scan(ctx, p.Column, name, 0, s.manifest.Vertices, yield)
}

func propertyNames(properties []Property) []string {
	names := make([]string, len(properties))
	for i, p := range properties {
		names[i] = p.Name
	}
	return names
}
