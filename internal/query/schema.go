package query

import (
	"context"
	"slices"
	"time"

	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/store"
)

// runSchema creates, drops or shows indexes and constraints, at once and for good.
func (e *Engine) runSchema(ctx context.Context, graph string, s *statement) (*Result, error) {
	r := newSchemaResult(s)
	if s.tree.Schema.Action == ast.Show {
		tx, err := e.db.Begin(ctx, graph, store.ReadAccess)
		if err != nil {
			return nil, err
		}
		defer tx.Rollback()
		return r.show(tx), nil
	}
	change, err := schemaChange(s.tree.Schema)
	if err == nil {
		err = e.db.ChangeSchema(ctx, graph, change)
	}
	if err != nil {
		return nil, withText(asFault(err), s.tree.Text)
	}
	return r.changed(), nil
}

// runSchema creates or drops indexes and constraints when the transaction commits; whether that can be done is known
// now. They are shown as they were when it began.
//
// A transaction changes either the schema or the graph, as in Neo4j: what it created would else have to keep to
// constraints that other transactions cannot see yet.
func (t *Tx) runSchema(ctx context.Context, s *statement) (*Result, error) {
	r := newSchemaResult(s)
	if s.tree.Schema.Action == ast.Show {
		return r.show(t.tx), nil
	}
	switch {
	case t.access == store.ReadAccess:
		return nil, errReadOnly()
	case t.wrote:
		return nil, mixed("indexes and constraints cannot be changed in a transaction that has changed the graph")
	}
	change, err := schemaChange(s.tree.Schema)
	if err == nil {
		changes := append(slices.Clip(t.schema), change)
		if err = t.tx.CheckSchema(ctx, changes...); err == nil {
			t.schema = changes
		}
	}
	if err != nil {
		return nil, withText(asFault(err), s.tree.Text)
	}
	return r.changed(), nil
}

// mixed refuses a statement that changes what others of the transaction do not.
func mixed(what string) error {
	return fault.Met(fault.TransactionType, "SchemaAndData", "%s: commit it first, or use another transaction", what)
}

func newSchemaResult(s *statement) *Result {
	return &Result{s: s, began: time.Now(), closed: true, ended: make(chan struct{}), batches: make(chan batch),
		cancel: func(error) {}}
}

// changed has no rows.
func (r *Result) changed() *Result {
	r.summary.Schema = true
	close(r.batches)
	r.end(nil)
	return r
}

var constraintKinds = map[ast.SchemaKind]store.ConstraintKind{
	ast.UniqueConstraint: store.Unique, ast.ExistsConstraint: store.Exists, ast.KeyConstraint: store.NodeKey,
}

// schemaChange is what a command is to do.
func schemaChange(c *ast.SchemaCommand) (change store.SchemaChange, err error) {
	kind, constrains := constraintKinds[c.What]
	switch {
	case c.Action == ast.Drop && c.What == ast.RangeIndex:
		change = store.RemoveIndex(c.Name)
	case c.Action == ast.Drop:
		change = store.RemoveConstraint(c.Name)
	case constrains:
		change = store.MakeConstraint(store.Constraint{Name: c.Name, Kind: kind, OnRelationship: c.OnRelationship,
			Label: c.Label, Keys: c.Properties})
	case len(c.Properties) != 1:
		return change, fault.New(fault.SemanticError, "NotSupported", c.Position,
			"an index has one property: make one for each of %q", c.Properties)
	default:
		change = store.MakeIndex(store.Index{Name: c.Name, OnRelationship: c.OnRelationship, Label: c.Label,
			Key: c.Properties[0]})
	}
	if c.IfTolerated {
		change = change.IfNeeded()
	}
	return change, nil
}
