package instance

import (
	"context"

	"github.com/penstock-db/penstock/host"
)

// Learn has a MEGA program learn from the graph's current snapshot, in a plugin process. When ctx ends the process is
// killed and the database is as it was. See host.Learning for the errors.
func Learn(ctx context.Context, db *DB, graph string, request host.Learning, events host.TrainEvents) (*host.Trained,
	error) {
	snapshot, err := db.folded(ctx, graph)
	if err != nil {
		return nil, err
	}
	defer snapshot.Close()
	o := request.Options()
	place(db, &o.PluginDir, &o.Allowed)
	if o.CheckpointDir == "" {
		o.CheckpointDir = db.checkpoints()
	}
	return request.Learn(db.accounted(ctx), db.engine, snapshot, events)
}

// ExplainLearning says how Learn would go, without learning.
func ExplainLearning(ctx context.Context, db *DB, graph string, request host.Learning) (*host.LearningPlan, error) {
	snapshot, err := db.folded(ctx, graph)
	if err != nil {
		return nil, err
	}
	defer snapshot.Close()
	o := request.Options()
	place(db, &o.PluginDir, &o.Allowed)
	return request.Explain(db.accounted(ctx), snapshot)
}
