package transaction

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// SchemaChange makes or removes an index or a constraint.
type SchemaChange struct {
	apply    func(*manifest.Manifest, *graphVersion) error
	tolerant bool
}

// IfNeeded is the change that does nothing where what it makes is there, or what it removes is not.
func (c SchemaChange) IfNeeded() SchemaChange {
	c.tolerant = true
	return c
}

// MakeIndex makes an index.
func MakeIndex(index manifest.Index) SchemaChange {
	if index.Name == "" {
		index.Name = strings.Join([]string{"index", index.Label, index.Key}, "_")
	}
	return SchemaChange{apply: func(m *manifest.Manifest, _ *graphVersion) error {
		switch {
		case index.Label == "":
			return &LabelError{Label: index.Label}
		case index.Key == "":
			return &failure.PropertyError{Name: index.Key, Reason: "needs a name"}
		}
		for _, old := range m.Indexes {
			same := old
			same.Name = index.Name
			if old.Name == index.Name || same == index {
				return &SchemaExistsError{Graph: m.Graph, What: "index", Name: old.Name}
			}
		}
		if m.HasConstraint(index.Name) {
			return &SchemaExistsError{Graph: m.Graph, What: "constraint", Name: index.Name}
		}
		m.Indexes = append(slices.Clone(m.Indexes), index)
		return nil
	}}
}

// RemoveIndex removes an index.
func RemoveIndex(name string) SchemaChange {
	return SchemaChange{apply: func(m *manifest.Manifest, _ *graphVersion) error {
		kept := slices.DeleteFunc(slices.Clone(m.Indexes), func(i manifest.Index) bool { return i.Name == name })
		if len(kept) == len(m.Indexes) {
			return &UnknownSchemaError{Graph: m.Graph, What: "index", Name: name}
		}
		m.Indexes = kept
		return nil
	}}
}

// MakeConstraint makes a constraint, if the graph is as it demands.
func MakeConstraint(c manifest.Constraint) SchemaChange {
	if c.Name == "" {
		c.Name = strings.Join(append([]string{"constraint", string(c.Kind), c.Label}, c.Keys...), "_")
	}
	return SchemaChange{apply: func(m *manifest.Manifest, v *graphVersion) error {
		switch {
		case len(c.Keys) == 0 || slices.Contains(c.Keys, ""):
			return &failure.PropertyError{Reason: "is missing: a constraint is on one property or several"}
		case c.Label == "":
			return &LabelError{Label: c.Label}
		}
		for _, old := range m.Constraints {
			if old.Name == c.Name || old.Same(c) {
				return &SchemaExistsError{Graph: m.Graph, What: "constraint", Name: old.Name}
			}
		}
		if slices.ContainsFunc(m.Indexes, func(i manifest.Index) bool { return i.Name == c.Name }) {
			return &SchemaExistsError{Graph: m.Graph, What: "index", Name: c.Name}
		}
		m.Constraints = append(slices.Clone(m.Constraints), c)
		return v.checkAll(v.ctx, c)
	}}
}

// RemoveConstraint removes a constraint.
func RemoveConstraint(name string) SchemaChange {
	return SchemaChange{apply: func(m *manifest.Manifest, _ *graphVersion) error {
		if !m.HasConstraint(name) {
			return &UnknownSchemaError{Graph: m.Graph, What: "constraint", Name: name}
		}
		m.Constraints = slices.DeleteFunc(slices.Clone(m.Constraints),
			func(c manifest.Constraint) bool { return c.Name == name })
		return nil
	}}
}

// graphVersion is the version of a graph for which a schema is made, and which does not change meanwhile.
type graphVersion struct {
	ctx   context.Context
	graph *Graph
	*version
}

// apply makes the changes one after the other, of which each sees those before it, and tells whether there were any to
// make.
func (v *graphVersion) apply(m *manifest.Manifest, changes []SchemaChange) (changed bool, err error) {
	for _, c := range changes {
		err := c.apply(m, v)
		if c.tolerant && (errors.As(err, new(*SchemaExistsError)) || errors.As(err, new(*UnknownSchemaError))) {
			continue
		}
		if err != nil {
			return false, err
		}
		changed = true
	}
	return changed, nil
}

// Apply makes the changes to m, the manifest of version v.
func (g *Graph) Apply(ctx context.Context, v *version, m *manifest.Manifest, changes []SchemaChange) (changed bool,
	err error) {
	return (&graphVersion{ctx, g, v}).apply(m, changes)
}

// CheckSchema tells whether ChangeSchema would make the changes, were the graph as the transaction sees it.
//
// Errors: those of ChangeSchema.
func (tx *Tx) CheckSchema(ctx context.Context, changes ...SchemaChange) error {
	m := *tx.Base.Manifest
	_, err := (&graphVersion{ctx, tx.Graph, &version{tx.Base, tx.State}}).apply(&m, changes)
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
