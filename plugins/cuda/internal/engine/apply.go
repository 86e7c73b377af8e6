package engine

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
)

// Apply ends an iteration.
func (e *Engine) Apply(ctx context.Context) (*stream.Work, error) {
	e.progress.newer, e.progress.adding = true, false
	return e.told(ctx, e.turn, func() { e.progress.iteration++ })
}

// turn puts what ends an iteration into the queue.
func (e *Engine) turn() error {
	if err := e.ready(); err != nil {
		return err
	}
	e.progress.prepared = false
	share := e.program.Share
	return e.program.Template.Apply(e.Streams.Computing, e.kernel, share.Base, share.End())
}

// told does something after which the host is told of the program's state.
func (e *Engine) told(ctx context.Context, do func() error, then func()) (*stream.Work, error) {
	p, q, letter := e.program, e.Streams, e.Streams.Mail.Take()
	w, err := q.Timed(q.Computing, func() error {
		if err := do(); err != nil {
			return err
		}
		if err := q.Computing.CopyOut(e.mirror[:8*len(p.Active)], e.at(p.Layout.Active)); err != nil {
			return err
		}
		return e.copyCounters(letter)
	})
	if err != nil {
		return nil, err
	}
	w.Finish = func(event *plugins.Event) error {
		then()
		event.Edges = e.progress.count(letter.Counters)
		q.Mail.Give(letter)
		copy(memory.Bytes(p.Active), e.mirror)
		event.Iteration = e.progress.report(p)
		if p.Restorable || event.Iteration.Converged {
			return e.Publish(ctx)
		}
		return nil
	}
	return w, nil
}

// Publish copies the state to the arena, where the card has a newer one.
func (e *Engine) Publish(ctx context.Context) error {
	if !e.progress.newer {
		return nil
	}
	e.progress.newer = false
	state := e.program.State()
	if e.program.Intervals {
		state = e.destinations(state)
	}
	return e.copyOut(ctx, state)
}
