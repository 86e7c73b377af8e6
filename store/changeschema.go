package store

import (
	"context"
	"errors"

	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/transaction"
)

// CreateIndex makes an index.
//
// Errors: *UnknownGraphError, *SchemaExistsError, *LabelError and *PropertyError for empty names.
func (db *DB) CreateIndex(ctx context.Context, graph string, index manifest.Index) error {
	return db.ChangeSchema(ctx, graph, transaction.MakeIndex(index))
}

// DropIndex removes an index.
//
// Errors: *UnknownGraphError, *UnknownSchemaError.
func (db *DB) DropIndex(ctx context.Context, graph, name string) error {
	return db.ChangeSchema(ctx, graph, transaction.RemoveIndex(name))
}

// CreateConstraint makes a constraint, if the graph is as it demands.
//
// Errors: *UnknownGraphError, *SchemaExistsError, *ConstraintError.
func (db *DB) CreateConstraint(ctx context.Context, graph string, c manifest.Constraint) error {
	return db.ChangeSchema(ctx, graph, transaction.MakeConstraint(c))
}

// DropConstraint removes a constraint.
//
// Errors: *UnknownGraphError, *UnknownSchemaError.
func (db *DB) DropConstraint(ctx context.Context, graph, name string) error {
	return db.ChangeSchema(ctx, graph, transaction.RemoveConstraint(name))
}

// errUnchanged ends a write that has nothing to publish.
var errUnchanged = errors.New("store: the schema is so already")

// ChangeSchema makes all changes in one step, or none, while nobody commits.
//
// Errors: *UnknownGraphError, *SchemaExistsError, *UnknownSchemaError, *ConstraintError, and *LabelError and
// *PropertyError for empty names.
func (db *DB) ChangeSchema(ctx context.Context, graph string, changes ...transaction.SchemaChange) error {
	if _, err := db.graphs.Open(ctx, graph); err != nil {
		return err
	}
	_, err := db.write(ctx, graph, func(g *writing) (*manifest.Manifest, error) {
		opened, err := db.graphs.Open(ctx, graph) // again: a compaction may have replaced it, and now nothing else does
		if err != nil {
			return nil, err
		}
		if err := opened.Acquire(ctx); err != nil {
			return nil, err
		}
		g.holds = opened
		v := opened.Current()
		defer v.Base.Release()
		m := v.Base.Manifest.Next(g.Number)
		changed, err := opened.Apply(ctx, v, &m, changes)
		if err == nil && !changed {
			err = errUnchanged
		}
		return &m, err
	})
	if errors.Is(err, errUnchanged) {
		return nil
	}
	return err
}
