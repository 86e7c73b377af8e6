package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Index finds nodes by label and property, or relationships by type and property. Its
// definition is in the manifest; what it leads to is made in memory when it is first asked.
type Index struct {
	Name           string `json:"name"` // empty: one is made up
	OnRelationship bool   `json:"on_relationship,omitempty"`
	Label          string `json:"label"` // or the type; empty: any
	Key            string `json:"key"`
}

// ConstraintKind is what a constraint demands.
type ConstraintKind string

const (
	Unique  ConstraintKind = "unique" // no two have the same values
	Exists  ConstraintKind = "exists" // each has a value
	NodeKey ConstraintKind = "key"    // both
)

// Constraint is what holds of all nodes with a label, or relationships of a type.
type Constraint struct {
	Name           string         `json:"name"` // empty: one is made up
	Kind           ConstraintKind `json:"kind"`
	OnRelationship bool           `json:"on_relationship,omitempty"`
	Label          string         `json:"label"`
	Keys           []string       `json:"keys"`
}

// CreateIndex makes an index.
//
// Errors: *UnknownGraphError, *SchemaExistsError, *LabelError and *PropertyError for empty names.
func (db *DB) CreateIndex(ctx context.Context, graph string, index Index) error {
	if index.Label == "" {
		return &LabelError{Label: index.Label}
	}
	if index.Key == "" {
		return &PropertyError{Name: index.Key, Reason: "needs a name"}
	}
	if index.Name == "" {
		index.Name = strings.Join([]string{"index", index.Label, index.Key}, "_")
	}
	return db.changeSchema(ctx, graph, func(m *Manifest, _ *graphVersion) error {
		for _, old := range m.Indexes {
			same := old
			same.Name = index.Name
			if old.Name == index.Name || same == index {
				return &SchemaExistsError{Graph: graph, What: "index", Name: old.Name}
			}
		}
		if m.hasConstraint(index.Name) {
			return &SchemaExistsError{Graph: graph, What: "constraint", Name: index.Name}
		}
		m.Indexes = append(slices.Clone(m.Indexes), index)
		return nil
	})
}

// DropIndex removes an index.
//
// Errors: *UnknownGraphError, *UnknownSchemaError.
func (db *DB) DropIndex(ctx context.Context, graph, name string) error {
	return db.changeSchema(ctx, graph, func(m *Manifest, _ *graphVersion) error {
		kept := slices.DeleteFunc(slices.Clone(m.Indexes), func(i Index) bool { return i.Name == name })
		if len(kept) == len(m.Indexes) {
			return &UnknownSchemaError{Graph: graph, What: "index", Name: name}
		}
		m.Indexes = kept
		return nil
	})
}

// CreateConstraint makes a constraint, if the graph is as it demands.
//
// Errors: *UnknownGraphError, *SchemaExistsError, *ConstraintError.
func (db *DB) CreateConstraint(ctx context.Context, graph string, c Constraint) error {
	if c.Name == "" {
		c.Name = strings.Join(append([]string{"constraint", string(c.Kind), c.Label}, c.Keys...), "_")
	}
	if len(c.Keys) == 0 || slices.Contains(c.Keys, "") {
		return &PropertyError{Reason: "is missing: a constraint is on one property or several"}
	}
	if c.Label == "" {
		return &LabelError{Label: c.Label}
	}
	return db.changeSchema(ctx, graph, func(m *Manifest, v *graphVersion) error {
		for _, old := range m.Constraints {
			if old.Name == c.Name || old.same(c) {
				return &SchemaExistsError{Graph: graph, What: "constraint", Name: old.Name}
			}
		}
		if slices.ContainsFunc(m.Indexes, func(i Index) bool { return i.Name == c.Name }) {
			return &SchemaExistsError{Graph: graph, What: "index", Name: c.Name}
		}
		m.Constraints = append(slices.Clone(m.Constraints), c)
		return v.checkAll(ctx, c)
	})
}

func (c Constraint) same(other Constraint) bool {
	return c.Kind == other.Kind && c.OnRelationship == other.OnRelationship && c.Label == other.Label && slices.Equal(c.Keys, other.Keys)
}

func (m *Manifest) hasConstraint(name string) bool {
	return slices.ContainsFunc(m.Constraints, func(c Constraint) bool { return c.Name == name })
}

// DropConstraint removes a constraint.
//
// Errors: *UnknownGraphError, *UnknownSchemaError.
func (db *DB) DropConstraint(ctx context.Context, graph, name string) error {
	return db.changeSchema(ctx, graph, func(m *Manifest, _ *graphVersion) error {
		if !m.hasConstraint(name) {
			return &UnknownSchemaError{Graph: graph, What: "constraint", Name: name}
		}
		m.Constraints = slices.DeleteFunc(slices.Clone(m.Constraints), func(c Constraint) bool { return c.Name == name })
		return nil
	})
}

// graphVersion is the version of a graph while its schema changes and nobody commits.
type graphVersion struct {
	graph *graph
	*version
}

// changeSchema publishes the current manifest with another schema, while nobody commits.
func (db *DB) changeSchema(ctx context.Context, name string, change func(*Manifest, *graphVersion) error) error {
	opened, err := db.graphs.open(ctx, db, name)
	if err != nil {
		return err
	}
	_, err = db.write(ctx, name, func(g *generation) (*Manifest, error) {
		if err := opened.acquire(ctx); err != nil {
			return nil, err
		}
		g.holds = opened
		v := opened.current()
		if v == nil {
			return nil, &ConflictError{Graph: name, Entity: "the whole graph"}
		}
		defer v.base.release()
		m := *v.base.manifest
		m.Version, m.ID, m.Log = ManifestVersion, g.number, m.log()
		if err := change(&m, &graphVersion{opened, v}); err != nil {
			return nil, err
		}
		return &m, nil
	})
	return err
}

// SchemaExistsError says that there is such an index or constraint.
type SchemaExistsError struct{ Graph, What, Name string }

func (e *SchemaExistsError) Error() string {
	return fmt.Sprintf("graph %q has the %s %q already; drop it first, or add IF NOT EXISTS", e.Graph, e.What, e.Name)
}

// UnknownSchemaError says that there is no such index or constraint.
type UnknownSchemaError struct{ Graph, What, Name string }

func (e *UnknownSchemaError) Error() string {
	return fmt.Sprintf("graph %q has no %s %q", e.Graph, e.What, e.Name)
}
