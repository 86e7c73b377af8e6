package query

import (
	"context"
	"errors"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/query/ast"
	"github.com/penstock-db/penstock/query/fault"
	"github.com/penstock-db/penstock/store"
)

// runSchema creates, drops or shows indexes and constraints, at once and for good.
func (e *Engine) runSchema(ctx context.Context, graph string, s *statement) (*Result, error) {
	began := time.Now()
	r := &Result{s: s, closed: true, ended: make(chan struct{}), batches: make(chan batch), cancel: func(error) {}}
	var err error
	switch c := s.tree.Schema; c.Action {
	case ast.Create:
		err = tolerant[*store.SchemaExistsError](c, e.createSchema(ctx, graph, c))
	case ast.Drop:
		err = tolerant[*store.UnknownSchemaError](c, e.dropSchema(ctx, graph, c))
	case ast.Show:
		r.columns, r.batch.rows, err = e.showSchema(ctx, graph, c)
	}
	if err != nil {
		return nil, withText(asFault(err), s.tree.Text)
	}
	r.summary.Took, r.summary.Schema = time.Since(began), s.tree.Schema.Action != ast.Show
	close(r.batches)
	close(r.ended)
	return r, nil
}

// tolerant takes an error of this type for none if the command says IF [NOT] EXISTS.
func tolerant[T error](c *ast.SchemaCommand, err error) error {
	if expected := *new(T); c.IfTolerated && errors.As(err, &expected) {
		return nil
	}
	return err
}

var constraintKinds = map[ast.SchemaKind]store.ConstraintKind{
	ast.UniqueConstraint: store.Unique, ast.ExistsConstraint: store.Exists, ast.KeyConstraint: store.NodeKey,
}

func (e *Engine) createSchema(ctx context.Context, graph string, c *ast.SchemaCommand) error {
	if kind, ok := constraintKinds[c.What]; ok {
		return e.db.CreateConstraint(ctx, graph, store.Constraint{
			Name: c.Name, Kind: kind, OnRelationship: c.OnRelationship, Label: c.Label, Keys: c.Properties,
		})
	}
	if len(c.Properties) != 1 {
		return fault.New(fault.SemanticError, "NotSupported", c.Position, "an index has one property: make one for each of %q", c.Properties)
	}
	return e.db.CreateIndex(ctx, graph, store.Index{Name: c.Name, OnRelationship: c.OnRelationship, Label: c.Label, Key: c.Properties[0]})
}

func (e *Engine) dropSchema(ctx context.Context, graph string, c *ast.SchemaCommand) error {
	if c.What == ast.RangeIndex {
		return e.db.DropIndex(ctx, graph, c.Name)
	}
	return e.db.DropConstraint(ctx, graph, c.Name)
}

// showSchema lists indexes, or constraints, as Neo4j does.
func (e *Engine) showSchema(ctx context.Context, graph string, c *ast.SchemaCommand) (columns []string, rows [][]value.Value, err error) {
	tx, err := e.db.Begin(ctx, graph, store.ReadAccess)
	if err != nil {
		return nil, nil, err
	}
	defer tx.Rollback()
	columns = []string{"name", "type", "entityType", "labelsOrTypes", "properties"}
	if c.What == ast.RangeIndex {
		for _, i := range tx.Indexes() {
			rows = append(rows, schemaRow(i.Name, "RANGE", i.OnRelationship, i.Label, i.Key))
		}
		return columns, rows, nil
	}
	for _, k := range tx.Constraints() {
		rows = append(rows, schemaRow(k.Name, constraintTypes[k.Kind], k.OnRelationship, k.Label, k.Keys...))
	}
	return columns, rows, nil
}

var constraintTypes = map[store.ConstraintKind]string{store.Unique: "UNIQUENESS", store.Exists: "PROPERTY_EXISTENCE", store.NodeKey: "NODE_KEY"}

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
