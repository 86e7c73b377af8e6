package engine

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"github.com/penstock-db/penstock/plugins/internal/check"
)

// Init makes the initial state, and the first active set.
func (e *Engine) Init(ctx context.Context) (*stream.Work, error) {
	if err := e.takeInputs(ctx); err != nil {
		return nil, err
	}
	r := &e.progress
	r.started, r.newer, r.prepared = true, true, false
	return e.told(ctx, func() error { return e.program.Template.Init(e.Streams.Computing, e.kernel) },
		func() { r.iteration = 0 })
}

// takeInputs copies the columns that the host has filled, once.
func (e *Engine) takeInputs(ctx context.Context) error {
	if !e.progress.hasInputs {
		if err := e.copyIn(ctx, e.program.Inputs()); err != nil {
			return err
		}
	}
	e.progress.hasInputs = true
	return nil
}

// Restore goes on from the state and the active set that an iteration of an earlier session
// has left, or another session of the same program. Accumulators it finds empty.
func (e *Engine) Restore(ctx context.Context, it plugins.Iteration) (*stream.Work, error) {
	p, r := e.program, &e.progress
	if err := check.Restore(p.Spec, p.Settling, p.N, p.Active, it); err != nil {
		return nil, err
	}
	if err := e.takeInputs(ctx); err != nil {
		return nil, err
	}
	w, err := e.Streams.Timed(e.Streams.Computing, func() error { return e.takeState(ctx) })
	if err != nil {
		return nil, err
	}
	r.started, r.newer, r.iteration = true, false, it.Number
	r.counters.Active, r.counters.Change = it.Active, it.Change
	told := r.report(p)
	w.Finish = func(e *plugins.Event) error {
		e.Iteration = told
		return nil
	}
	return w, nil
}

// takeState copies state and active set to the card, and empties the accumulators.
func (e *Engine) takeState(ctx context.Context) error {
	p, q := e.program, e.Streams
	if err := e.copyIn(ctx, p.State()); err != nil {
		return err
	}
	if err := q.CopyIn(ctx, q.Computing, e.at(p.Layout.Active), memory.Bytes(p.Active)); err != nil {
		return err
	}
	e.progress.prepared = false
	return p.Template.Forget(q.Computing, e.kernel)
}
