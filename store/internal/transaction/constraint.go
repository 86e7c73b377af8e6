package transaction

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/base"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// ConstraintError says what a constraint does not allow.
type ConstraintError struct {
	Graph, Constraint string
	Entity            string // "node 7"
	Other             string // that has the same values; empty: a value is missing
	Keys              []string
	// Raced says that the transaction kept to the constraint as far as it could see: another one has committed meanwhile.
	Raced bool
}

func (e *ConstraintError) Error() string {
	keys := strings.Join(e.Keys, ", ")
	if e.Other == "" {
		return fmt.Sprintf("graph %q: constraint %q: %s must have %s", e.Graph, e.Constraint, e.Entity, keys)
	}
	return fmt.Sprintf("graph %q: constraint %q: %s and %s have the same %s", e.Graph, e.Constraint, e.Entity, e.Other,
		keys)
}

// CheckConstraints looks whether what has been changed since the last call is as constraints
// demand. CheckDeleted calls it.
//
// Errors: *ConstraintError.
func (tx *Tx) CheckConstraints() error {
	for _, list := range []*[]uint64{&tx.unchecked, &tx.uncheckedRelationships} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	err := tx.checkConstraints(tx.unchecked, tx.uncheckedRelationships)
	if err == nil {
		tx.unchecked, tx.uncheckedRelationships = nil, nil
	}
	return err
}

// checkConstraints checks these nodes and relationships.
func (tx *Indexed) checkConstraints(nodes, relationships []uint64) error {
	for _, id := range nodes {
		if !tx.NodeExists(id) {
			continue
		}
		if err := tx.checkID(id); err != nil {
			return err
		}
		for _, c := range tx.Base.Constraints {
			if has, err := tx.HasLabel(id, c.LabelToken); err != nil || c.OnRelationship || !has {
				if err != nil {
					return err
				}
				continue
			}
			if err := tx.checkConstraint(c, id, tx.NodeProperty); err != nil {
				return err
			}
		}
	}
	for _, id := range relationships {
		if !tx.RelationshipExists(id) {
			continue
		}
		_, _, typ, err := tx.Ends(id)
		if err != nil {
			return err
		}
		for _, c := range tx.Base.Constraints {
			if !c.OnRelationship || c.LabelToken != typ {
				continue
			}
			if err := tx.checkConstraint(c, id, tx.RelationshipProperty); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkConstraint checks one that is about a node or relationship.
func (tx *Indexed) checkConstraint(c base.Constraint, id uint64,
	property func(uint64, base.Token) (value.Value, error)) error {
	values := make([]value.Value, len(c.KeyTokens))
	complete := true
	for i, key := range c.KeyTokens {
		var err error
		if values[i], err = property(id, key); err != nil {
			return err
		}
		complete = complete && !values[i].IsNull()
	}
	violation := &ConstraintError{Graph: tx.Graph.Name, Constraint: c.Name, Entity: entityName(c.OnRelationship, id),
		Keys: c.Keys}
	if !complete {
		if c.Kind != manifest.Unique {
			return violation
		}
		return nil
	}
	if c.Kind == manifest.Exists {
		return nil
	}
	other, found, err := tx.sameValues(c, id, values, property)
	if err != nil || !found {
		return err
	}
	violation.Other = entityName(c.OnRelationship, other)
	return violation
}

// sameValues finds another that has these values.
func (tx *Indexed) sameValues(c base.Constraint, id uint64, values []value.Value,
	property func(uint64, base.Token) (value.Value, error)) (other uint64, found bool, err error) {
	index := tx.Base.Index(manifest.Index{Name: c.Name, OnRelationship: c.OnRelationship, Label: c.Label, Key: c.Keys[0]})
	var failed error
	err = tx.seek(index, values[0], func(candidate uint64) bool {
		if candidate == id {
			return true
		}
		for i, key := range c.KeyTokens {
			v, err := property(candidate, key)
			if err != nil {
				failed = err
				return false
			}
			if eq, known := value.Equal(v, values[i]); !eq || !known {
				return true
			}
		}
		other, found = candidate, true
		return false
	})
	if failed != nil {
		err = failed
	}
	return other, found, err
}

// checkID sees to it that no other node has the id of a new one.
func (tx *Indexed) checkID(node uint64) error {
	ids := tx.Base.IDs
	if ids == nil || node < tx.Base.Vertices {
		return nil
	}
	v, err := tx.NodeProperty(node, ids.Key)
	if err != nil {
		return err
	}
	index := tx.Base.Indexes[len(tx.Base.Indexes)-1] // see openIndexes
	var violation error
	err = tx.seek(index, v, func(other uint64) bool {
		if other == node {
			return true
		}
		violation = &ConstraintError{
			Graph: tx.Graph.Name, Constraint: "ids of nodes", Entity: entityName(false, node), Other: entityName(false, other),
			Keys: []string{manifest.IdProperty},
		}
		return false
	})
	if err != nil {
		return err
	}
	return violation
}

// checkAll checks a constraint that is yet to be made, on all of the graph. It holds the
// values of all keys.
func (v *graphVersion) checkAll(ctx context.Context, c manifest.Constraint) error {
	v.Base.Hold()
	tx := NewTx(ctx, v.graph, v.version, ReadAccess)
	defer tx.Rollback()
	all := census{
		tx: tx, constraint: base.NewConstraint(c, v.graph.labels, v.graph.types, v.graph.keys),
		property: tx.NodeProperty, seen: map[uint64][]citizen{},
	}
	if !c.OnRelationship {
		return errors.Join(tx.NodesWith(all.constraint.LabelToken, all.visit), all.err)
	}
	all.property = tx.RelationshipProperty
	return errors.Join(tx.relationshipsWith(all.constraint.LabelToken, all.visit), all.err)
}

// relationshipsWith yields all relationships of a type.
func (tx *Indexed) relationshipsWith(typ base.Token, yield func(id uint64) bool) (err error) {
	more := true
	tx.Base.EachRelationship(typ, func(id uint64, failed error) bool {
		if err = failed; err == nil && !tx.State.Deleted(id) {
			more = yield(id)
		}
		return more && err == nil
	})
	for id, r, ok := tx.State.Relationships.Next(tx.State.RelationshipBase); more && err == nil && ok; id, r,
		ok = tx.State.Relationships.Next(id + 1) {
		if !r.Deleted && r.Type == typ {
			more = yield(id)
		}
	}
	return err
}

// census goes through all that a constraint is about.
type census struct {
	tx         *Tx
	constraint base.Constraint
	property   func(uint64, base.Token) (value.Value, error)
	seen       map[uint64][]citizen // by hash
	err        error
}

type citizen struct {
	id     uint64
	values []value.Value
}

// visit checks one; false: it is not as the constraint demands, or cannot be read.
func (s *census) visit(id uint64) bool {
	c := s.constraint
	one := citizen{id, make([]value.Value, len(c.KeyTokens))}
	hash, complete := uint64(0), true
	for i, key := range c.KeyTokens {
		if one.values[i], s.err = s.property(id, key); s.err != nil {
			return false
		}
		complete = complete && !one.values[i].IsNull()
		hash = hash*31 + value.Hash(one.values[i])
	}
	violation := &ConstraintError{Graph: s.tx.Graph.Name, Constraint: c.Name, Entity: entityName(c.OnRelationship, id),
		Keys: c.Keys}
	switch {
	case !complete && c.Kind != manifest.Unique:
		s.err = violation
	case complete && c.Kind != manifest.Exists:
		if at := slices.IndexFunc(s.seen[hash], one.same); at >= 0 {
			violation.Other = entityName(c.OnRelationship, s.seen[hash][at].id)
			s.err = violation
		}
		s.seen[hash] = append(s.seen[hash], one)
	}
	return s.err == nil
}

func (a citizen) same(b citizen) bool {
	for i := range a.values {
		if eq, known := value.Equal(a.values[i], b.values[i]); !eq || !known {
			return false
		}
	}
	return true
}
