package store

import (
	"context"

	"github.com/penstock-db/penstock/store/internal/snapshot"
)

// Verify reads everything that the current snapshot of graph names, checks every
// checksum, and that degrees, counts and ids agree with one another; then it replays the
// log of changes and checks these. It holds the ids and degrees of all vertices, and one
// chunk; later the changes once more than they are held already.
//
// Errors: *UnknownGraphError, *DamagedError for the first piece that is not right.
func (db *DB) Verify(ctx context.Context, graph string) error {
	s, err := db.Snapshot(graph)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := snapshot.Verify(ctx, s); err != nil {
		return err
	}
	pinned, err := db.Snapshot(graph)
	if err != nil {
		return err
	}
	return db.graphs.Verify(ctx, pinned)
}
