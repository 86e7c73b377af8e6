package learning

import (
	"context"
	"encoding/json"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/query/procedure"
)

var planned = []procedure.Field{
	field("model", "STRING"), field("device", "STRING"), field("kernel", "STRING"), field("epochs", "INTEGER"),
	field("deviceBytes", "INTEGER"), field("deviceBudget", "INTEGER"), field("plan", "MAP"),
}

// explain gives out how ml.train would go with the same arguments, and trains nothing. Bytes are of the device that
// needs most; the plan is all that penstock train --explain --json says.
func (c call) explain(ctx context.Context, g procedure.Graph, arguments []value.Value,
	yield func([]value.Value) error) error {
	l, err := c.lesson("ml.explain", arguments)
	if err != nil {
		return err
	}
	row, err := l.plan(ctx, c.runner, g.Name())
	if err != nil {
		return err
	}
	return yield(row)
}

// plan finds out how it would be learned.
func (l lesson) plan(ctx context.Context, by Runner, graph string) ([]value.Value, error) {
	if l.program != nil {
		p, err := by.PlanLearning(ctx, graph, l.program, l.save, l.replace)
		if err != nil {
			return nil, err
		}
		return l.planned(p.Device, p.Kernel, p.Epochs, p.Room(), p)
	}
	p, err := by.PlanTraining(ctx, graph, l.part, l.request, l.save, l.replace)
	if err != nil {
		return nil, err
	}
	return l.planned(p.Device, p.Kernel, p.Epochs, p.Room(), p)
}

// planned is the row of a plan.
func (l lesson) planned(device, kernel string, epochs int, room host.TrainRoom, plan any) ([]value.Value, error) {
	text, err := json.Marshal(plan)
	if err != nil {
		return nil, err
	}
	all, err := value.FromJSON(text)
	return []value.Value{value.OfString(l.name), value.OfString(device), value.OfString(kernel),
		value.OfInt(int64(epochs)), value.OfInt(int64(room.Need)), value.OfInt(int64(room.Budget)), all}, err
}
