// Package database is an open database as the Bolt protocol has it, for the server and the shell.
package database

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/internal/query"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/status"
	"github.com/penstock-db/penstock/store"
)

// Database is a backend.Database.
type Database struct {
	db      *instance.DB
	commits atomic.Int64 // since the server began; bookmarks bear it
}

// New makes a Database of a database.
func New(db *instance.DB) *Database { return &Database{db: db} }

func (s *Database) Begin(ctx context.Context, graph string, access backend.Access) (backend.Transaction, error) {
	if err := chosen(graph); err != nil {
		return nil, err
	}
	mode := store.WriteAccess
	if access == backend.Read {
		mode = store.ReadAccess
	}
	tx, err := s.db.Begin(ctx, graph, mode)
	if err != nil {
		return nil, withCode(err)
	}
	return &transaction{database: s, tx: tx}, nil
}

// Run of a statement that may only read begins a transaction for it, which keeps to that.
func (s *Database) Run(ctx context.Context, graph string, access backend.Access, text string,
	params map[string]value.Value) (backend.Result, error) {
	if access == backend.Read {
		return s.runReading(ctx, graph, text, params)
	}
	if err := chosen(graph); err != nil {
		return nil, err
	}
	found, err := s.db.Query(ctx, graph, text, params)
	if err != nil {
		return nil, withCode(err)
	}
	return &rows{Result: found, bookmark: s.bookmark}, nil
}

func (s *Database) runReading(ctx context.Context, graph, text string, params map[string]value.Value) (backend.Result,
	error) {
	tx, err := s.Begin(ctx, graph, backend.Read)
	if err != nil {
		return nil, err
	}
	result, err := tx.Run(ctx, text, params)
	if err != nil {
		tx.Rollback()
		return nil, err
	}
	return &readingResult{Result: result, tx: tx}, nil
}

func (s *Database) bookmark() string { return fmt.Sprintf("penstock:%d", s.commits.Add(1)) }

func chosen(graph string) error {
	if graph == "" {
		return &status.Error{Status: status.UnknownGraph,
			Message: "which graph? choose one by the driver's setting for the database, or have it served by --graph"}
	}
	return nil
}

// withCode gives errors a code that are no faults of a statement.
func withCode(err error) error {
	var unknown *store.UnknownGraphError
	var full *store.DiskFullError
	switch {
	case errors.As(err, &unknown):
		return &status.Error{Status: status.UnknownGraph, Message: err.Error()}
	case errors.As(err, &full): // drivers do not try it again: the disk is full until an operator makes room
		return &status.Error{Status: status.ExecutionFailed, Message: err.Error()}
	}
	return err
}

// transaction is a transaction of a client.
type transaction struct {
	database *Database
	tx       *query.Tx
}

func (t *transaction) Run(ctx context.Context, text string, params map[string]value.Value) (backend.Result, error) {
	found, err := t.tx.Run(ctx, text, params)
	if err != nil {
		return nil, withCode(err)
	}
	return &rows{Result: found, bookmark: func() string { return "" }}, nil
}

func (t *transaction) Commit(ctx context.Context) (string, error) {
	if err := t.tx.Commit(ctx); err != nil {
		return "", withCode(err)
	}
	return t.database.bookmark(), nil
}

func (t *transaction) Rollback() { t.tx.Rollback() }

// rows is the rows of a statement.
type rows struct {
	*query.Result
	bookmark func() string
}

func (r *rows) Err() error { return withCode(r.Result.Err()) }

func (r *rows) Close() error { return withCode(r.Result.Close()) }

func (r *rows) Summary() backend.Summary {
	summary := r.Result.Summary()
	c := summary.Counters
	told := backend.Summary{
		Type: kindOf(summary, len(r.Columns())),
		Counters: backend.Counters{
			NodesCreated: c.NodesCreated, NodesDeleted: c.NodesDeleted,
			RelationshipsCreated: c.RelationshipsCreated, RelationshipsDeleted: c.RelationshipsDeleted,
			PropertiesSet: c.PropertiesSet, LabelsAdded: c.LabelsAdded, LabelsRemoved: c.LabelsRemoved,
		},
		Bookmark: r.bookmark(),
	}
	if summary.Plan != "" {
		told.Plan = planOf(r.Plan().Root, summary)
		told.Plan.Arguments = append(told.Plan.Arguments, value.Entry{Key: PlanText, Value: value.OfString(summary.Plan)})
	}
	return told
}

func kindOf(summary query.Summary, columns int) string {
	switch {
	case summary.Schema:
		return "s"
	case !summary.Writes:
		return "r"
	case columns == 0:
		return "w"
	default:
		return "rw"
	}
}

// readingResult ends its transaction when it is closed.
type readingResult struct {
	backend.Result
	tx backend.Transaction
}

func (r *readingResult) Close() error {
	defer r.tx.Rollback()
	return r.Result.Close()
}
