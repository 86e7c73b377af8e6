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
	if err := p.checkProcesses(o, g.Lefts()); err != nil {
		return nil, err
	}
	r, err := newRun(p, g, o.inTurn())
	if err != nil {
		return nil, err
	}
	return &Course[U, V, E]{r}, nil
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
	defer r.life.tell(r.options.Alive)()
	r.epochs.from = r.from
	if err := r.barrier.Meet(ctx); err != nil { // all rows are as they begin
		return false, err
	}
	if err := r.share(ctx); err != nil {
		return false, err
	}
	if err := r.all(ctx); err != nil {
		return false, err
	}
	if err := r.barrier.Meet(ctx); err != nil {
		return false, err
	}
	r.epochs.settled(&r.workers[0].at)
	r.from = r.epochs.many
	if done = !r.epochs.paused() || r.from >= r.epochs.end; done {
		r.serve()
	} else if err := r.settle(ctx); err != nil {
		return false, err
	}
	return done, r.barrier.Meet(ctx)
}

// Meet waits until all processes have called it: each has then saved its part. When ctx ends, its cause is the error.
func (c *Course[U, V, E]) Meet(ctx context.Context) error { return c.run.barrier.Meet(ctx) }

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
