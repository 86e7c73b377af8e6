package split

import (
	"context"

	"github.com/penstock-db/penstock/host/internal/device"
	"github.com/penstock-db/penstock/host/internal/result"
	"github.com/penstock-db/penstock/host/internal/violation"
	"github.com/penstock-db/penstock/internal/core"
	"github.com/penstock-db/penstock/plugins"
)

// settle has each device go on by itself, round by round, and take in between what the other has found so far, until
// neither has anything to do. Rounds without a look at the other are more work: what they send may be outdone by what
// is there already. Where values only improve the result is the same, in whatever order and however late they learn of
// each other: Bertsekas, "Distributed asynchronous computation of fixed points", Mathematical Programming 27, 1983.
func (e *Executor) settle(ctx context.Context) error {
	e.Progress.StartLap()
	// Before that its column is no state, and must not be looked at.
	if _, err := e.Dense.Stream.Do(plugins.Command{Op: plugins.Init}, nil); err != nil {
		return e.settleAlone(ctx, err)
	}
	e.final.begin(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := e.turns(ctx, 1, func(plugins.Iteration) {}); err != nil {
			e.final.leave(err)
		}
	}()
	err := e.turns(ctx, 0, func(it plugins.Iteration) { e.Progress.End(it, len(e.has[e.Rest])) })
	if err != nil {
		e.fail(err)
	}
	<-ended
	e.Report.Merges, e.Report.Useful = e.final.looks, e.final.news
	if absent := e.final.left(); err == nil && absent != nil {
		return e.settleAlone(ctx, absent)
	}
	return err
}

// turns has a device take a round and then look at the other's column, until neither has anything to do or the other
// has left.
func (e *Executor) turns(ctx context.Context, which int, ended func(plugins.Iteration)) error {
	own, other := e.both()[which], e.both()[1-which]
	for {
		it, err := e.settleOn(own, 1)
		if err != nil {
			return err
		}
		e.final.moved(which)
		ended(it)
		for more := false; !more; {
			seen, before := e.final.turn(1-which), it.Active
			if it.Active, err = e.look(own, other); err != nil {
				return err
			}
			if more = it.Active > 0; !e.final.looked(which, seen, more, it.Active > before) {
				return context.Cause(ctx)
			}
		}
	}
}

func (e *Executor) both() [2]*device.Device { return [2]*device.Device{e.Rest, e.Dense} }

// settleOn has a device take so many rounds; 0: until it converges.
func (e *Executor) settleOn(d *device.Device, rounds uint32) (plugins.Iteration, error) {
	event, err := d.Stream.Do(plugins.Command{Op: plugins.Settle, At: e.Places.Everyone, Rounds: rounds}, nil)
	if err != nil {
		return plugins.Iteration{}, err
	}
	return *event.Iteration, nil
}

// look has a device take what is better in the other's first column, and tells how many then have something to send.
func (e *Executor) look(d, other *device.Device) (active uint64, err error) {
	at := other.Layout.Columns[e.Plan.Inputs()].Range
	event, err := d.Stream.Do(plugins.Command{Op: plugins.Deliver, At: at, Among: e.Places.Among}, nil)
	if err != nil {
		return 0, err
	}
	if event.Iteration == nil {
		return 0, violation.Of(d.Name, "it does not say who is active once it has looked at another's state")
	}
	return event.Iteration.Active, nil
}

// settleAlone has the first device go on with all edges. Along those that it had not, no vertex has sent yet: all
// vertices of the core that have something to send become active.
func (e *Executor) settleAlone(ctx context.Context, absent error) error {
	if err := e.goOnAlone(ctx, absent); err != nil {
		return err
	}
	it, err := e.awaken()
	if err != nil {
		return err
	}
	if err := e.restore(it); err != nil {
		return err
	}
	if it, err = e.settleOn(e.Rest, 0); err == nil {
		e.Progress.End(it, len(e.has[e.Rest]))
	}
	return err
}

// awaken makes the vertices of the core active on the first device, but for those that have received nothing and have
// never been active, which their value tells.
func (e *Executor) awaken() (plugins.Iteration, error) {
	it := e.Progress.Final
	active, err := e.Arena().Uint64s(e.Rest.Layout.Active)
	if err != nil {
		return it, err
	}
	first, reduce := e.Rest.Layout.Columns[e.Plan.Inputs()], e.Plan.Task.Program.Reduce
	values, err := result.CopyColumn(e.Arena(), first)
	if err != nil {
		return it, err
	}
	values.Column = first.Column
	for v := range e.Set.Members() {
		if !values.IsIdentity(reduce, int(v)) {
			core.Set(active).Add(v)
		}
	}
	it.Converged, it.Active = false, core.Set(active).Count()
	return it, nil
}
