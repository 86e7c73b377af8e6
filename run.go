package penstock

import (
	"context"

	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/store"
)

// folded is a snapshot that has all that was committed before: what statements have changed is
// folded into it.
func (db *DB) folded(ctx context.Context, graph string) (*store.Snapshot, error) {
	if _, err := db.store.Compact(ctx, graph); err != nil {
		return nil, err
	}
	return db.store.Snapshot(graph)
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
	computed, err := db.engine.Run(ctx, snapshot, db.withPlaces(request), events)
	if err != nil {
		snapshot.Close()
		return nil, err
	}
	return &Result{Result: computed, db: db, snapshot: snapshot}, nil
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

// withPlaces says where plugins and checkpoints are.
func (db *DB) withPlaces(request host.Request) host.Request {
	if request.PluginDir == "" {
		request.PluginDir = db.plugins.Dir()
	}
	if request.CheckpointDir == "" {
		request.CheckpointDir = db.checkpoints()
	}
	return request
}
