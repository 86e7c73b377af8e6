package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/penstock-db/penstock"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query"
	"github.com/penstock-db/penstock/internal/server/bolt"
	"github.com/penstock-db/penstock/store"
)

// served is a database as the Bolt server sees it.
type served struct {
	db      *penstock.DB
	commits atomic.Int64 // since the server began; bookmarks bear it
}

func (s *served) Begin(ctx context.Context, graph string, access bolt.Access) (bolt.Transaction, error) {
	if err := chosen(graph); err != nil {
		return nil, err
	}
	mode := store.WriteAccess
	if access == bolt.Read {
		mode = store.ReadAccess
	}
	tx, err := s.db.Begin(ctx, graph, mode)
	if err != nil {
		return nil, withCode(err)
	}
	return &servedTx{served: s, tx: tx}, nil
}

// Run of a statement that may only read begins a transaction for it, which keeps to that.
func (s *served) Run(ctx context.Context, graph string, access bolt.Access, text string, params map[string]value.Value) (bolt.Result, error) {
	if access == bolt.Read {
		return s.runReading(ctx, graph, text, params)
	}
	if err := chosen(graph); err != nil {
		return nil, err
	}
	result, err := s.db.Query(ctx, graph, text, params)
	if err != nil {
		return nil, withCode(err)
	}
	return &servedResult{Result: result, bookmark: s.bookmark}, nil
}

func (s *served) runReading(ctx context.Context, graph, text string, params map[string]value.Value) (bolt.Result, error) {
	tx, err := s.Begin(ctx, graph, bolt.Read)
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

func (s *served) bookmark() string { return fmt.Sprintf("penstock:%d", s.commits.Add(1)) }

func chosen(graph string) error {
	if graph == "" {
		return &bolt.Failure{Status: bolt.UnknownGraph, Message: "which graph? choose one by the driver's setting for the database, or have it served by --graph"}
	}
	return nil
}

// withCode gives errors a code that are no faults of a statement.
func withCode(err error) error {
	var unknown *store.UnknownGraphError
	if errors.As(err, &unknown) {
		return &bolt.Failure{Status: bolt.UnknownGraph, Message: err.Error()}
	}
	return err
}

// servedTx is a transaction of a client.
type servedTx struct {
	served *served
	tx     *query.Tx
}

func (t *servedTx) Run(ctx context.Context, text string, params map[string]value.Value) (bolt.Result, error) {
	result, err := t.tx.Run(ctx, text, params)
	if err != nil {
		return nil, err
	}
	return &servedResult{Result: result, bookmark: func() string { return "" }}, nil
}

func (t *servedTx) Commit(ctx context.Context) (string, error) {
	if err := t.tx.Commit(ctx); err != nil {
		return "", err
	}
	return t.served.bookmark(), nil
}

func (t *servedTx) Rollback() { t.tx.Rollback() }

// servedResult is the rows of a statement.
type servedResult struct {
	*query.Result
	bookmark func() string
}

func (r *servedResult) Summary() bolt.Summary {
	summary := r.Result.Summary()
	c := summary.Counters
	told := bolt.Summary{
		Type: kindOf(summary, len(r.Columns())),
		Counters: bolt.Counters{
			NodesCreated: c.NodesCreated, NodesDeleted: c.NodesDeleted,
			RelationshipsCreated: c.RelationshipsCreated, RelationshipsDeleted: c.RelationshipsDeleted,
			PropertiesSet: c.PropertiesSet, LabelsAdded: c.LabelsAdded, LabelsRemoved: c.LabelsRemoved,
		},
		Bookmark: r.bookmark(),
	}
	if summary.Plan != "" {
		told.Plan = servedPlan(r.Plan().Root, summary)
		told.Plan.Arguments = append(told.Plan.Arguments, value.Entry{Key: planText, Value: value.OfString(summary.Plan)})
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
	bolt.Result
	tx bolt.Transaction
}

func (r *readingResult) Close() error {
	defer r.tx.Rollback()
	return r.Result.Close()
}
