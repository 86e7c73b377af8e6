package store

import (
	"context"

	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/transaction"
)

// Begin begins a transaction. Its reads of the graph end with ctx. When changes take half of
// Options.ChangesBytes, it compacts the graph before one that writes.
//
// Errors: *UnknownGraphError, *DamagedError, *ReadOnlyError, and those of Compact.
func (db *DB) Begin(ctx context.Context, graph string, access transaction.Access) (*transaction.Tx, error) {
	if access == transaction.WriteAccess && db.readOnly {
		return nil, &failure.ReadOnlyError{Dir: db.dir, Damaged: len(db.damage) > 0}
	}
	return db.graphs.Begin(ctx, graph, access)
}
