package instance

import (
	"cmp"
	"context"
	"fmt"

	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/allowlist"
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

// Run computes on all of the graph: see Subject.Run.
func (db *DB) Run(ctx context.Context, graph string, request host.Request, events host.Events) (*Result, error) {
	return db.On(graph, store.Projection{}).Run(ctx, request, events)
}

// withPlaces says where plugins and checkpoints are, and which plugins may run.
func (db *DB) withPlaces(request host.Request) host.Request {
	place(db, &request.PluginDir, &request.Allowed)
	if request.CheckpointDir == "" {
		request.CheckpointDir = db.checkpoints()
	}
	return request
}

// place says of any request where plugins are, and which of them the owner of the database has enabled: that is read
// anew, since it may have been changed while the database is open.
func place(db *DB, pluginDir *string, allowed *host.Devices) {
	if *pluginDir == "" {
		*pluginDir = db.plugins.Dir()
	}
	allowed.Enabled = allowlist.Read(db.dir)
}
