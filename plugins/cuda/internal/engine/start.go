package engine

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/internal/columns"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"github.com/penstock-db/penstock/plugins/internal/check"
)

// Init makes the initial state, and the first active set.
func (e *Engine) Init(ctx context.Context) (*stream.Work, error) {
	bytes, err := e.takeInputs(ctx)
	if err != nil {
		return nil, err
	}
	r := &e.progress
	r.started, r.newer, r.prepared, r.adding = true, true, false, false
	w, err := e.told(ctx, func() error { return e.program.Template.Init(e.Streams.Computing, e.kernel) },
		func() { r.iteration = 0 })
	if err != nil {
		return nil, err
	}
	return counted(w, bytes), nil
}

// takeInputs copies the columns that the host has filled, and tells the bytes: once, or those of the destinations that
// have come.
func (e *Engine) takeInputs(ctx context.Context) (bytes uint64, err error) {
	inputs := e.program.Inputs()
	if e.program.Intervals {
		inputs = e.destinations(inputs)
	} else if e.progress.hasInputs {
		return 0, nil
	}
	for _, c := range inputs {
		bytes += uint64(len(c.Bytes))
	}
	e.progress.hasInputs = true
	return bytes, e.copyIn(ctx, inputs)
}

// Restore goes on from the state and the active set that an iteration of an earlier session
// has left, or another session of the same program. Accumulators it finds empty.
func (e *Engine) Restore(ctx context.Context, it plugins.Iteration) (*stream.Work, error) {
	p, r := e.program, &e.progress
	if err := check.Restore(p.Spec, p.Settling, p.N, p.Active, it); err != nil {
		return nil, err
	}
	var bytes uint64
	w, err := e.Streams.Timed(e.Streams.Computing, func() (err error) {
		bytes, err = e.takeState(ctx)
		return err
	})
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
	return counted(w, bytes), nil
}

// takeState copies inputs, state and active set to the card, and empties the accumulators. It tells the bytes.
func (e *Engine) takeState(ctx context.Context) (bytes uint64, err error) {
	p, q := e.program, e.Streams
	if p.Intervals {
		return e.takeInterval(ctx)
	}
	if bytes, err = e.takeInputs(ctx); err != nil {
		return bytes, err
	}
	state := append(slices.Clip(p.State()), columns.Column{Bytes: memory.Bytes(p.Active), At: p.Layout.Active})
	for _, c := range state {
		bytes += uint64(len(c.Bytes))
	}
	if err := e.copyIn(ctx, state); err != nil {
		return bytes, err
	}
	e.progress.prepared = false
	return bytes, p.Template.Forget(q.Computing, e.kernel)
}
