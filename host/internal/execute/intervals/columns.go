package intervals

import (
	"context"
	"errors"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/host/internal/link"
	"github.com/penstock-db/penstock/plugins"
)

// bring loads an interval as destinations, over a simulated link if there is one.
func (o *owner) bring(ctx context.Context, j int) {
	o.load(o.interval(j), o.sendsAmong(j))
	o.Rec.Carry(ctx, o.bytes(o.interval(j)))
}

// init has the initial state of an interval evaluated.
func (o *owner) init(ctx context.Context, j int) (take func() (outcome, error), err error) {
	o.bring(ctx, j)
	o.device.Expect(0)
	event, err := o.device.Do(plugins.Command{Op: plugins.Init}, nil)
	if err != nil {
		return nil, err
	}
	o.copied.Add(event.Bytes)
	return func() (outcome, error) { return o.take(j, 0, algorithms.NoNorm, o.entire()) }, nil
}

// iterate does a column of the grid.
func (o *owner) iterate(ctx context.Context, j int) (take func() (outcome, error), err error) {
	if rests, err := o.rests(j); err != nil {
		return nil, err
	} else if rests {
		o.counts.Skipped += len(o.cells.columns[j])
		return o.stay(j), nil
	}
	sent, err := o.column(ctx, j)
	if err != nil {
		return nil, err
	}
	if sent == 0 && o.Plan.Stays() {
		return o.stay(j), nil
	}
	if err := o.settle(ctx, j); err != nil {
		return nil, err
	}
	return func() (outcome, error) { return o.take(j, sent, o.Plan.Task.Program.Norm, o.inPlace) }, nil
}

// stay has a column's state stay as it is.
func (g *grid) stay(j int) func() (outcome, error) {
	return func() (outcome, error) {
		g.leave(g.interval(j))
		return outcome{}, nil
	}
}

// take takes an interval's next state out of the session.
func (o *owner) take(j, sent int, norm algorithms.Norm, settled bool) (c outcome, err error) {
	c.sent = sent
	if c.terms, err = o.terms(j); err != nil {
		return c, err
	}
	c.active, c.change = o.unload(o.interval(j), norm, settled)
	return c, nil
}

// column sends the cells of a column that have an active source, and has the device apply what came along their edges.
// It tells how many. Where there are none, and state stays without them, nothing is done.
func (o *owner) column(ctx context.Context, j int) (sent int, err error) {
	cells, applied := o.cells.columns[j], false
	for k, each := range cells {
		active, err := o.chosenOf(j, k) // while the device steps over the one before
		if err != nil {
			return sent, err
		}
		if active == 0 {
			o.counts.Skipped++
			continue
		}
		if err := o.wait(ctx); err != nil {
			return sent, err
		}
		if sent == 0 {
			o.bring(ctx, j)
		}
		more := slices.ContainsFunc(cells[k+1:], func(c cell) bool { return o.mayCome(j, c) })
		if err := o.step(ctx, each, more); err != nil {
			return sent, err
		}
		sent, applied = sent+1, !more
	}
	return sent, o.endColumn(ctx, j, sent, applied)
}

// endColumn has the device apply, unless it does so already, and waits for it.
func (o *owner) endColumn(ctx context.Context, j, sent int, applied bool) error {
	if applied || sent == 0 && o.Plan.Stays() {
		return errors.Join(o.lookAhead(j+1), o.wait(ctx))
	}
	if err := o.wait(ctx); err != nil {
		return err
	}
	if sent == 0 {
		o.bring(ctx, j)
		o.forgetSources()
		if err := o.restore(); err != nil {
			return err
		}
	}
	if err := o.begun(plugins.Command{Op: plugins.Apply}); err != nil {
		return err
	}
	return errors.Join(o.lookAhead(j+1), o.wait(ctx))
}

// step has the device begin to step over a cell, from the sources that have been chosen, and to apply, if no more
// cells are to follow.
func (o *owner) step(ctx context.Context, cell cell, more bool) error {
	o.Rec.Carry(ctx, o.send())
	if err := o.restore(); err != nil {
		return err
	}
	return o.sendPieces(ctx, cell.pieces, more)
}

// restore has the device go on from what has been loaded. Another command must follow.
func (o *owner) restore() error {
	it := plugins.Iteration{Number: o.Progress.Final.Number, Active: count(o.set)}
	o.device.Expect(it.Number)
	return o.tell(plugins.Command{Op: plugins.Restore, Iteration: it, More: true},
		func(event plugins.Event) { o.copied.Add(event.Bytes) })
}

// tell sends a command. Messages are counted: a command with More travels with the next.
func (o *owner) tell(c plugins.Command, done func(plugins.Event)) error {
	if o.counts.Commands++; !c.More {
		o.counts.Messages++
	}
	return o.device.Send(c, link.Call{Done: done})
}

// begun sends a command that wait waits for.
func (o *owner) begun(c plugins.Command) error { return o.tell(c, o.await()) }
