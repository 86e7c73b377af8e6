package instance

import (
	"context"

	"github.com/penstock-db/penstock/host"
)

// Regress learns weights of features from the graph's current snapshot, in a plugin process. When ctx ends the process
// is killed and the database is as it was. See host.Regress for the errors.
func Regress(ctx context.Context, db *DB, graph string, request host.RegressRequest, events host.TrainEvents) (
	*host.Trained, error) {
	snapshot, err := db.folded(ctx, graph)
	if err != nil {
		return nil, err
	}
	defer snapshot.Close()
	if request.PluginDir == "" {
		request.PluginDir = db.plugins.Dir()
	}
	return host.Regress(db.accounted(ctx), db.engine, snapshot, request, events)
}
