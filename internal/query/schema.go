package query

import (
	"context"
	"slices"
	"time"

	"github.com/penstock-db/penstock/formats/value"
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

// show has a row for each index, or constraint, as in Neo4j.
func (r *Result) show(tx *store.Tx) *Result {
	r.columns = []string{"name", "type", "entityType", "labelsOrTypes", "properties"}
	if r.s.tree.Schema.What == ast.RangeIndex {
		for _, i := range tx.Indexes() {
			r.batch.rows = append(r.batch.rows, schemaRow(i.Name, "RANGE", i.OnRelationship, i.Label, i.Key))
		}
	} else {
		for _, k := range tx.Constraints() {
			r.batch.rows = append(r.batch.rows, schemaRow(k.Name, constraintTypes[k.Kind], k.OnRelationship, k.Label, k.Keys...))
		}
	}
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

var constraintTypes = map[store.ConstraintKind]string{store.Unique: "UNIQUENESS", store.Exists: "PROPERTY_EXISTENCE",
	store.NodeKey: "NODE_KEY"}

func schemaRow(name, kind string, onRelationship bool, label string, keys ...string) []value.Value {
	entity := "NODE"
	if onRelationship {
		entity = "RELATIONSHIP"
	}
	var labels []string
	if label != "" {
		labels = []string{label}
	}
	return []value.Value{value.OfString(name), value.OfString(kind), value.OfString(entity), listOf(labels), listOf(keys)}
}

func listOf(texts []string) value.Value {
	elements := make([]value.Value, len(texts))
	for i, s := range texts {
		elements[i] = value.OfString(s)
	}
	return value.OfList(elements)
}
