package mega

import (
	"context"
)

// Course is a run that can be interrupted between two epochs, kept, and gone on with, by this process or another. What
// comes of it is to the bit what a run without interruption gives, where slack is 0.
//
//	Start ─▶ (Restore) ─▶ Continue ─▶ Save ─▶ Continue ─▶ Save ─▶ … Continue: done ─▶ State
type Course[U any, V Number, E any] struct{ run *run[U, V, E] }

// Start makes a run ready, which takes the graph's Targets for itself.
//
// Errors: *Error.
func Start[U any, V Number, E any](p *Program[U, V, E], g *Graph[E], o Options) (*Course[U, V, E], error) {
	o.Workers = max(o.Workers, 1)
	if err := check(p, g, o); err != nil {
		return nil, err
	}
	return &Course[U, V, E]{newRun(p, g, o)}, nil
}

// check refuses what no run comes of.
func check[U any, V Number, E, G any](p *Program[U, V, E], g *Graph[G], o Options) error {
	if err := o.check(p.Name); err != nil {
		return err
	}
	if err := p.check(); err != nil {
		return err
	}
	if err := p.checkCut(o.Cut); err != nil {
		return err
	}
	return g.check(p.Name)
}

// Continue goes on until the last epoch has ended, or Options.Pause interrupts it: then it is not done. When ctx ends,
// its cause is the error. After an error there is no going on; where a worker hangs, it still has the run.
//
// Errors: *WorkerError.
func (c *Course[U, V, E]) Continue(ctx context.Context) (done bool, err error) {
	r := c.run
	r.epochs.paused = false
	if err := r.all(ctx); err != nil {
		return false, err
	}
	if r.from = r.epochs.many; r.epochs.paused && r.from < r.epochs.end {
		return false, r.settle(ctx)
	}
	r.serve()
	return true, nil
}

// State is what the run has come to. It is for when that is done.
func (c *Course[U, V, E]) State() *State[U, V] { return c.run.state() }

// Report is how the run has gone; of one that was restored, since then, but for its epochs.
func (c *Course[U, V, E]) Report() Report { return c.run.report() }

// Epochs is how many have ended.
func (c *Course[U, V, E]) Epochs() int { return c.run.from }

// settle brings all that was changed to the masters, as it would be in the next clock, which begins by it.
func (r *run[U, V, E]) settle(ctx context.Context) error {
	for _, w := range r.workers {
		if err := w.begin(ctx); err != nil {
			return err
		}
	}
	return nil
}
