package instance

import (
	"context"

	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/store"
)

// Factorize learns factors of ratings from the graph's current snapshot, in a plugin process. When ctx ends the process
// is killed and the database is as it was. See host.Factorize for the errors.
func Factorize(ctx context.Context, db *DB, graph string, request host.FactorizeRequest, events host.TrainEvents) (
	*host.Trained, error) {
	return onSnapshot(ctx, db, graph, &request.On, func(ctx context.Context, at *store.Snapshot) (*host.Trained, error) {
		return host.Factorize(ctx, db.engine, at, request, events)
	})
}

// Regress learns weights of features as Factorize does factors. See host.Regress for the errors.
func Regress(ctx context.Context, db *DB, graph string, request host.RegressRequest, events host.TrainEvents) (
	*host.Trained, error) {
	return onSnapshot(ctx, db, graph, &request.On, func(ctx context.Context, at *store.Snapshot) (*host.Trained, error) {
		return host.Regress(ctx, db.engine, at, request, events)
	})
}

// onSnapshot has something learned from the graph's current snapshot, with the database's plugins and memory.
func onSnapshot(ctx context.Context, db *DB, graph string, on *host.On,
	learn func(context.Context, *store.Snapshot) (*host.Trained, error)) (*host.Trained, error) {
	snapshot, err := db.folded(ctx, graph)
	if err != nil {
		return nil, err
	}
	defer snapshot.Close()
	if on.PluginDir == "" {
		on.PluginDir = db.plugins.Dir()
	}
	return learn(db.accounted(ctx), snapshot)
}
