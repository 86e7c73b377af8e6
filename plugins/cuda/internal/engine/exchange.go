package engine

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/internal/exchange"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
)

// Gather writes what has come to a column of accumulators, and forgets it.
func (e *Engine) Gather(ctx context.Context, c plugins.Command) (*stream.Work, error) {
	x, err := e.exchanged(c)
	if err != nil {
		return nil, err
	}
	acc, err := e.copyAccumulators(ctx)
	if err != nil {
		return nil, err
	}
	x.Gather(acc)
	q := e.Streams
	return q.Timed(q.Computing, func() error { return e.program.Template.Forget(q.Computing, e.kernel) })
}

// exchanged is the column that a command names.
func (e *Engine) exchanged(c plugins.Command) (exchange.Column, error) {
	p := e.program
	return exchange.Open(e.Arena, c, exchange.Values{Reduce: p.Spec.Reduce, Type: p.Lowered.AccType}, p.N)
}

// Deliver takes what another session has gathered or, in a task that settles, what it knows.
func (e *Engine) Deliver(ctx context.Context, c plugins.Command) (*stream.Work, error) {
	x, err := e.exchanged(c)
	if err != nil {
		return nil, err
	}
	if e.program.Settling {
		return e.learn(ctx, x)
	}
	acc, err := e.copyAccumulators(ctx)
	if err != nil {
		return nil, err
	}
	x.Deliver(acc)
	q := e.Streams
	return q.Timed(q.Computing, func() error {
		return q.CopyIn(ctx, q.Computing, e.at(e.program.Layout.Acc), memory.Bytes(acc))
	})
}

// learn improves the state by that of another session, as it is or will be: the state in the arena is
// the card's, for the task is restorable.
func (e *Engine) learn(ctx context.Context, from exchange.Column) (*stream.Work, error) {
	p := e.program
	from.Learn(p.State()[0].Bytes, p.Active)
	e.progress.counters.Active = bitmap.Count(p.Active)
	w, err := e.Streams.Timed(e.Streams.Computing, func() error {
		_, err := e.takeState(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	w.Finish = func(event *plugins.Event) error {
		event.Iteration = e.progress.report(p)
		return nil
	}
	return w, nil
}
