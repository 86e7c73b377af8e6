package penstock

import (
	"context"
	"encoding/json"

	"github.com/penstock-db/penstock/internal/instance"
)

// Plan is how a training would go, before it does.
type Plan struct {
	Model    string
	Graph    string
	Snapshot uint64
	Device   string
	Kernel   string // the device's name for the code path
	Epochs   int    // at the most
	// Need is what the training takes of the device's Budget, in bytes; of several devices, that which needs most.
	Need, Budget uint64
	// JSON is all of it, as penstock train MODEL --explain --json has it (docs/mega.md, docs/gnn.md).
	JSON json.RawMessage
}

// planOf is a plan with all of it.
func planOf(p Plan, all any) (_ Plan, err error) {
	p.JSON, err = json.Marshal(all)
	return p, err
}

// ExplainTrain says how Train would go, which it does not do, and fails where it would for what it is given.
//
// Errors: as of Train.
func (db *DB) ExplainTrain(ctx context.Context, graph string, request TrainRequest) (Plan, error) {
	inner, err := request.inner()
	if err == nil {
		err = db.inner.Models().CheckKept(request.Save, request.Replace)
	}
	if err != nil {
		return Plan{}, public(err)
	}
	p, err := db.inner.On(graph, request.Part.inner()).PlanTraining(ctx, inner)
	if err != nil {
		return Plan{}, public(err)
	}
	room := p.Room()
	return planOf(Plan{p.Model, p.Graph, p.Snapshot, p.Device, p.Kernel, p.Epochs, room.Need, room.Budget, nil}, p)
}

// ExplainLearn says how Learn would go, which it does not do, and fails where it would for what it is given.
//
// Errors: as of Train.
func (db *DB) ExplainLearn(ctx context.Context, graph string, request LearnRequest) (Plan, error) {
	l, err := request.inner()
	if err == nil {
		err = db.inner.Models().CheckKept(request.Save, request.Replace)
	}
	if err != nil {
		return Plan{}, public(err)
	}
	p, err := instance.ExplainLearning(ctx, db.inner, graph, l)
	if err != nil {
		return Plan{}, public(err)
	}
	return planOf(Plan{request.Model, p.Graph, p.Snapshot, p.Device, p.Kernel, p.Epochs, p.DeviceMemory, p.Budget, nil}, p)
}
