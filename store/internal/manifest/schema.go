package manifest

import "slices"

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

func (c Constraint) Same(other Constraint) bool {
	return c.Kind == other.Kind && c.OnRelationship == other.OnRelationship && c.Label == other.Label &&
		slices.Equal(c.Keys, other.Keys)
}

func (m *Manifest) HasConstraint(name string) bool {
	return slices.ContainsFunc(m.Constraints, func(c Constraint) bool { return c.Name == name })
}
