package host

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/penstock-db/penstock/host/internal/choose"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/store"
)

// retries is how often a run that keeps checkpoints starts its plugin again when it has died.
const retries = 1

// restart is a run, once more where the device of a run that is to be resumed dies.
func (e *Engine) restart(ctx context.Context, snap *store.Snapshot, req Request, events Events) (*Result, error) {
	for n := 0; ; n++ {
		result, err := e.retry(ctx, snap, req, events)
		var over *MemoryError
		if err == nil || !req.Resume || n == retries || ctx.Err() != nil || plugins.KindOf(err) != plugins.KindDied ||
			errors.As(err, &over) { // which it would be again
			return result, err
		}
		events.Filled().Noticed(fmt.Errorf("the device is started again: %w", err))
	}
}

// attempt is what is asked of a run, and what earlier attempts at it have come to.
type attempt struct {
	snap      *store.Snapshot
	req       Request
	events    Events
	started   time.Time
	unsettled string // why parts of the graph did not settle; empty: that was not tried
	sorted    bool   // they were to in topological order
	npuFailed string // what came of npu, which had been chosen
}

// outcome is what an attempt says of itself, also when it fails.
type outcome struct {
	title    string
	choice   *Choice // nil: there was nothing to choose
	chooser  choose.Chooser
	settling bool
	sorted   bool // and that in topological order
}

// retry carries out a run; on the CPU where the device fails that had been chosen for it, and where it turns out that
// parts of the graph cannot settle, in topological order, or else iteration by iteration.
func (e *Engine) retry(ctx context.Context, snap *store.Snapshot, req Request, events Events) (*Result, error) {
	a := attempt{snap: snap, req: req, events: events.Filled(), started: time.Now()}
	result, out, err := e.attempt(ctx, a)
	if err != nil && out.chosenFailed(ctx, err) {
		result, err = e.onCPU(ctx, a, out, err)
	}
	for out.settling && plugins.KindOf(err) == plugins.KindUnsupported {
		a.unsettled, a.sorted = err.Error(), out.sorted
		result, out, err = e.attempt(ctx, a)
	}
	if err != nil {
		return nil, fmt.Errorf("%s on graph %s: %w", out.title, snap.Manifest().Graph, err)
	}
	return result, nil
}

// chosenFailed tells whether a device has failed that the request did not name.
func (o outcome) chosenFailed(ctx context.Context, err error) bool {
	var over *BudgetError
	var of *plugins.Error
	return o.choice != nil && o.choice.Device != plan.CPUDevice && ctx.Err() == nil &&
		(errors.As(err, &over) || errors.As(err, &of))
}

// onCPU carries a run out again, on the CPU.
func (e *Engine) onCPU(ctx context.Context, a attempt, failed outcome, err error) (*Result, error) {
	if plugins.KindOf(err) == plugins.KindUnsupported {
		_ = failed.chooser.Refuse(failed.choice.Device, err.Error()) // a device that is not there any more cannot be refused
	}
	a.events.Noticed(fmt.Errorf("the CPU computes instead: %w", err))
	a.npuFailed = err.Error()
	result, _, err := e.attempt(ctx, a)
	return result, err
}
