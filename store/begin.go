package store

import (
	"context"

	"github.com/penstock-db/penstock/store/internal/failure"
)

// Begin begins a transaction. Its reads of the graph end with ctx. When changes take half of
// Options.ChangesBytes, it compacts the graph before one that writes.
//
// Errors: *UnknownGraphError, *DamagedError, *ReadOnlyError, and those of Compact.
func (db *DB) Begin(ctx context.Context, graph string, access Access) (*Tx, error) {
	if access == WriteAccess && db.readOnly {
		return nil, &failure.ReadOnlyError{Dir: db.dir, Damaged: len(db.damage) > 0}
	}
	return db.graphs.begin(ctx, graph, access)
}
