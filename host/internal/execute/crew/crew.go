// Package crew has several processes of one device act as one, among which the workers of a procedure that learns are
// divided (plugins.ExtensionWorkers). Each is told the same, and is given every chunk, which lies in the memory that
// all of them map; they meet there by themselves.
package crew

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/penstock-db/penstock/host/internal/device"
	"github.com/penstock-db/penstock/host/internal/link"
	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
)

// Crew is the processes of a run.
type Crew struct {
	ctx     context.Context // the run's
	members []*device.Device
	meter   *meter.Meter
}

// New opens streams to all processes. What goes wrong in one of them ends the run, and so all.
func New(ctx context.Context, fail context.CancelCauseFunc, p *plan.Plan, g *device.Group, rec *meter.Recorder,
	events report.Events) *Crew {
	for _, d := range g.Devices {
		g.Talk(ctx, fail, d, p.Graph.Manifest().Vertices, rec, events)
	}
	return &Crew{ctx: ctx, members: g.Devices, meter: &rec.Meter}
}

// Send has all processes do a command. It waits for none of them. Done is called when the last has answered.
func (c *Crew) Send(command plugins.Command, x link.Call) error {
	if command.Op == plugins.Upload {
		c.meter.Sent(command.At.Length, 0) // once: all of them read it where it is
	}
	var left atomic.Int64
	left.Store(int64(len(c.members)))
	done := func(e plugins.Event) {
		if left.Add(-1) == 0 && x.Done != nil {
			x.Done(e)
		}
	}
	for _, d := range c.members {
		if err := d.Stream.Send(command, link.Call{Done: done}); err != nil {
			return err
		}
	}
	return nil
}

// Do sends a command and waits until all have done it. The first tells of epochs; what workers have done is told in
// their order, in the end.
func (c *Crew) Do(command plugins.Command, iterated func(plugins.Event)) (last plugins.Event, err error) {
	work := make([][]plugins.Event, len(c.members))
	came := make(chan plugins.Event, len(c.members))
	for i, d := range c.members {
		x := link.Call{Done: func(e plugins.Event) { came <- e }, Iterated: func(e plugins.Event) {
			if e.Work != nil {
				work[i] = append(work[i], e)
			} else if i == 0 {
				iterated(e)
			}
		}}
		if err := d.Stream.Send(command, x); err != nil {
			return last, err
		}
	}
	for range c.members {
		select {
		case last = <-came:
		case <-c.ctx.Done():
			return last, context.Cause(c.ctx)
		}
	}
	for _, e := range slices.Concat(work...) {
		iterated(e)
	}
	return last, nil
}

// Expect does nothing: a procedure has no iterations.
func (c *Crew) Expect(int) {}

// Meet does nothing: processes meet by themselves.
func (c *Crew) Meet(last plugins.Iteration) (plugins.Iteration, uint64, error) { return last, 0, nil }

// Tell does nothing: a procedure has no state of vertices.
func (c *Crew) Tell([]uint64, schedule.Bitmap, plugins.Iteration) error { return nil }

// Own does nothing.
func (c *Crew) Own(last plugins.Iteration) (plugins.Iteration, error) { return last, nil }

// Waiting tells whether a process owes an answer.
func (c *Crew) Waiting() bool {
	for _, d := range c.members {
		if d.Stream.Waiting() {
			return true
		}
	}
	return false
}

// Finish tells the processes that there are no more commands, and waits for them to leave.
func (c *Crew) Finish() error {
	for _, d := range c.members {
		if err := d.Stream.Finish(); err != nil {
			return err
		}
	}
	return nil
}

// Wait waits until no process listens any more: the run's context has ended, or Finish has been called.
func (c *Crew) Wait() {
	for _, d := range c.members {
		d.Stream.Wait()
	}
}
