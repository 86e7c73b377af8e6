package instance

import (
	"cmp"
	"context"
	"fmt"

	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/store"
)

// folded is a snapshot that has all that was committed before: what statements have changed is
// folded into it.
//
// Errors: *UnfoldedError, those of store.DB.Compact.
func (db *DB) folded(ctx context.Context, graph string) (*store.Snapshot, error) {
	if changed, err := db.store.HasChanges(graph); db.store.ReadOnly() && (changed || err != nil) {
		return nil, cmp.Or(err, error(&UnfoldedError{Graph: graph}))
	}
	if _, err := db.store.Compact(ctx, graph); err != nil {
		return nil, err
	}
	return db.store.Snapshot(graph)
}

// UnfoldedError says that a graph has changes that are not in its snapshot, which a database that is
// open for reading only cannot fold in.
type UnfoldedError struct{ Graph string }

func (e *UnfoldedError) Error() string {
	return fmt.Sprintf(
		"graph %q has changes that are not folded into its snapshot, and the database is open for reading only; run 'penstock compact' first, without --read-only", e.Graph)
}

// Run computes what request asks for on the graph's current snapshot, in a plugin
// process, which stays for the next run on the graph (Options.KeepWarm). When ctx ends the
// process is killed and the database is as it was. See host.Run for the errors. The caller
// closes the Result.
func (db *DB) Run(ctx context.Context, graph string, request host.Request, events host.Events) (*Result, error) {
	snapshot, err := db.folded(ctx, graph)
	if err != nil {
		return nil, err
	}
	account := memory.Of(ctx)
	if account == nil {
		account = db.memory.Open()
		ctx = memory.With(ctx, account)
	}
	computed, err := db.engine.Run(ctx, snapshot, db.withPlaces(request), events)
	if err != nil {
		snapshot.Close()
		return nil, err
	}
	return &Result{Result: computed, db: db, snapshot: snapshot, memory: account}, nil
}

// Estimate tells what Run would take, and fails as it would, without running.
func (db *DB) Estimate(ctx context.Context, graph string, request host.Request) (*host.Needs, error) {
	snapshot, err := db.folded(ctx, graph)
	if err != nil {
		return nil, err
	}
	defer snapshot.Close()
	return host.Estimate(ctx, snapshot, db.withPlaces(request))
}
