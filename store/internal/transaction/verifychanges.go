package transaction

import (
	"context"
	"fmt"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/base"
	"github.com/penstock-db/penstock/store/internal/delta"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/snapshot"
)

// Verify replays the log of a snapshot, which it closes, and checks that no relationship leads nowhere,
// that lists, counts and indexes are what the records say.
func (o *Graphs) Verify(ctx context.Context, pinned *snapshot.Snapshot) error {
	g, err := o.openGraph(ctx, pinned)
	if err != nil {
		pinned.Close()
		return err
	}
	v := g.Current()
	g.become(nil)
	tx := verification{NewTx(ctx, g, v, ReadAccess)}
	defer tx.Rollback()
	for _, check := range []func() error{tx.verifyEnds, tx.verifyAdded, tx.verifyDeleted, tx.verifyCounts,
		tx.verifyIndexes} {
		if err := check(); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// verification is of what a transaction sees of a graph and its log.
type verification struct{ *Tx }

func (tx verification) badChanges(format string, args ...any) error {
	return &failure.DamagedError{Graph: tx.Graph.Name, Kind: "log", Number: -1, Err: fmt.Errorf(format, args...)}
}

// verifyEnds checks that changed relationships have their ends.
func (tx verification) verifyEnds() error {
	for id, r, ok := tx.State.Relationships.Next(0); ok; id, r, ok = tx.State.Relationships.Next(id + 1) {
		if !r.Deleted && (!tx.NodeExists(r.Start) || !tx.NodeExists(r.End)) {
			return tx.badChanges("relationship %d leads from node %d to node %d, which are not both there", id, r.Start, r.End)
		}
	}
	return nil
}

// verifyAdded checks that the lists name the new relationships, each at both ends.
func (tx verification) verifyAdded() error {
	entries := 0
	var bad error
	for node, a, ok := tx.State.Adjacent.Next(0); ok && bad == nil; node, a, ok = tx.State.Adjacent.Next(node + 1) {
		check := func(out bool) func(delta.Entry) bool {
			return func(e delta.Entry) bool {
				r := tx.State.Relationships.Get(e.Relationship)
				if r != nil && r.Deleted {
					return true
				}
				here, there := node, e.Other
				if !out {
					here, there = there, here
				}
				if r == nil || r.Start != here || r.End != there || r.Type != e.Type {
					bad = tx.badChanges("the list of node %d names relationship %d, which is another", node, e.Relationship)
				}
				entries++
				return bad == nil
			}
		}
		_ = a.Out.All(check(true)) && a.In.All(check(false))
	}
	for id, r, ok := tx.State.Relationships.Next(tx.State.RelationshipBase); ok; id, r,
		ok = tx.State.Relationships.Next(id + 1) {
		if !r.Deleted {
			entries -= 2
		}
	}
	if bad == nil && entries != 0 {
		bad = tx.badChanges("lists have %d entries too many", entries)
	}
	return bad
}

// verifyDeleted checks that deleted nodes have no relationships.
func (tx verification) verifyDeleted() error {
	for id, n, ok := tx.State.Nodes.Next(0); ok; id, n, ok = tx.State.Nodes.Next(id + 1) {
		if !n.Deleted {
			continue
		}
		if degree, err := tx.degree(id, Both, nil); err != nil || degree > 0 {
			if err == nil {
				err = tx.badChanges("node %d is deleted and has %d relationships", id, degree)
			}
			return err
		}
	}
	return nil
}

// verifyCounts counts nodes, and those with each label.
func (tx verification) verifyCounts() error {
	counted := uint64(0)
	count := func(uint64) bool {
		counted++
		return true
	}
	if err := tx.Nodes(count); err != nil {
		return err
	}
	if counted != tx.NodeCount() {
		return tx.badChanges("there are %d nodes instead of %d", counted, tx.NodeCount())
	}
	for _, name := range tx.Labels() {
		label, _ := tx.Label(name)
		counted = 0
		if err := tx.NodesWith(label, count); err != nil {
			return err
		}
		if counted != tx.LabelCount(label) {
			return tx.badChanges("%d nodes have the label %s instead of %d", counted, name, tx.LabelCount(label))
		}
	}
	return nil
}

// verifyIndexes checks that each index finds all that has been changed and is its.
func (tx verification) verifyIndexes() error {
	for _, o := range tx.Base.Indexes {
		if err := tx.verifyIndex(o); err != nil {
			return err
		}
	}
	return nil
}

func (tx verification) verifyIndex(o *base.Index) error {
	verify := func(id uint64, v value.Value) error {
		if eq, known := value.Equal(v, v); !eq || !known {
			return nil // NaN is not equal to itself
		}
		found := false
		err := tx.seek(o, v, func(other uint64) bool {
			found = other == id
			return !found
		})
		if err == nil && !found {
			err = tx.badChanges("index %s does not lead to %s", o.Name, entityName(o.OnRelationship, id))
		}
		return err
	}
	if o.OnRelationship {
		return eachChanged(&tx.State.Relationships, func(id uint64) error {
			r := tx.State.Relationships.Get(id)
			if r.Deleted || r.Type != o.LabelToken {
				return nil
			}
			v, err := tx.RelationshipProperty(id, o.KeyToken)
			if err != nil || v.IsNull() {
				return err
			}
			return verify(id, v)
		})
	}
	return eachChanged(&tx.State.Nodes, func(id uint64) error {
		if !tx.NodeExists(id) {
			return nil
		}
		if has, err := tx.HasLabel(id, o.LabelToken); !o.ByID && !has {
			return err
		}
		v, err := tx.NodeProperty(id, o.KeyToken)
		if err != nil || v.IsNull() {
			return err
		}
		return verify(id, v)
	})
}
