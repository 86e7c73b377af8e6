// Package chain has several devices act as one. A chunk is read from the store once, and cut into the edges that each
// device owns: those that lead to its share of the vertices (divide.go). Each is given its own alone. What travels from
// device to device is the state of vertices, after each iteration (exchange.go), or of components once (join.go). Ma et al., "NeuGraph", ATC'19, section
// 4.2: chain-based streaming.
//
//	run ──Upload──▶ divide ──part──▶ device 1 ─┐ Step, Apply
//	                  ├─────part──▶ device 2 ─┤                ──▶ state of each share, to all others ──▶ Restore
//	                  └─────part──▶ …        ─┘
//
// With one device there is nothing to divide.
package chain

import (
	"context"
	"sync"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/host/internal/device"
	"github.com/penstock-db/penstock/host/internal/link"
	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/host/internal/violation"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// Chain is the devices of a run.
type Chain struct {
	state
	ctx     context.Context // the run's
	rec     *meter.Recorder
	divider *divider // nil: there is one device
	// released is the column that says how much of a vertex a device has not had send; 0: there is none.
	released int
	holding  map[uint32][]part // what the devices have of chunks that have been uploaded and not evicted

	answering sync.Mutex // one answer of several devices is handled at a time
}

// Config is what a chain needs of a run.
type Config struct {
	Group  *device.Group
	Fail   context.CancelCauseFunc // ends the run
	Plan   *plan.Plan
	Memory *arena.Arena // that the devices share
	Rec    *meter.Recorder
	Events report.Events
}

// New opens streams to all devices.
func New(ctx context.Context, r Config) *Chain {
	c := talk(ctx, r, r.Group.Devices)
	if r.Plan.Settling {
		c.released, _ = r.Plan.Task.Program.Released()
	}
	if len(c.links) > 1 {
		c.divider = newDivider(r.Plan, c.Shares(), r.Memory, r.Rec)
	}
	return c
}

// talk opens streams to devices.
func talk(ctx context.Context, r Config, to []*device.Device) *Chain {
	for _, d := range to {
		r.Group.Talk(ctx, r.Fail, d, r.Plan.Intervals.Session(r.Plan.Graph.Manifest().Vertices), r.Rec, r.Events)
	}
	return &Chain{state: state{r.Plan, to, r.Memory}, ctx: ctx, rec: r.Rec, holding: map[uint32][]part{}}
}

// Keeps tells whether the devices' parts of a chunk lie in the arena, to be uploaded as often as it is wanted: then it
// need not be read again.
func (c *Chain) Keeps(number int) bool { return c.divider != nil && c.divider.keeps(number) }

// Send has the devices that a command concerns do it. It waits for none of them.
func (c *Chain) Send(command plugins.Command, x link.Call) error {
	switch {
	case c.divider == nil:
		return c.sendAlone(command, x)
	case command.Op == plugins.Settle: // whoever has none of the edges has nothing to send
		return c.settle(command, x)
	case command.Op == plugins.Upload:
		parts, err := c.divider.divide(command)
		if err != nil {
			return err
		}
		c.holding[command.Chunk] = parts
	}
	parts := c.holding[command.Chunk]
	to := holders(parts)
	x.Done = c.gather(len(to), x.Done)
	for _, i := range to {
		own, call, d := command, x, c.links[i]
		switch part := parts[i]; command.Op {
		case plugins.Upload:
			own.At, own.File = part.at, ""
			c.count(d, part)
		case plugins.Evict:
			call.Done = func(e plugins.Event) {
				part.free()
				x.Done(e)
			}
		}
		if err := d.Stream.Send(own, call); err != nil {
			return err
		}
	}
	if len(to) == 0 {
		x.Done(plugins.Event{}) // there is no edge
	}
	if command.Op == plugins.Evict {
		delete(c.holding, command.Chunk)
	}
	return nil
}

// sendAlone has the only device do a command.
func (c *Chain) sendAlone(command plugins.Command, x link.Call) error {
	d, done := c.links[0], x.Done
	switch {
	case command.Op != plugins.Upload:
	case command.Among.Length > 0: // what it takes is known once it has been done
		x.Done = func(e plugins.Event) {
			c.count(d, part{at: arena.Range{Length: e.Bytes}})
			done(e)
		}
	default:
		c.count(d, part{at: command.At})
	}
	return d.Stream.Send(command, x)
}

// holders are the devices that have a part, in their order.
func holders(parts []part) (all []int) {
	for i, p := range parts {
		if p.at.Length > 0 {
			all = append(all, i)
		}
	}
	return all
}

// count counts what a device is given.
func (c *Chain) count(d *device.Device, p part) {
	for _, m := range []*meter.Meter{&d.Spent, &c.rec.Meter} {
		m.Sent(p.at.Length-p.others, 0)
		m.Forwarded(p.others)
	}
}

// gather makes one answer of several, which came of work done at the same time; of none, at the first call.
func (c *Chain) gather(answers int, done func(plugins.Event)) func(plugins.Event) {
	var all plugins.Event
	return func(e plugins.Event) {
		c.answering.Lock()
		defer c.answering.Unlock()
		all.Transfer, all.Compute = max(all.Transfer, e.Transfer), max(all.Compute, e.Compute)
		all.Bytes, all.Edges = all.Bytes+e.Bytes, all.Edges+e.Edges
		if answers--; answers <= 0 && done != nil {
			done(all)
		}
	}
}

// Do has all devices do a command, and waits until they have. Of several, Apply ends with each
// knowing what the others have.
func (c *Chain) Do(command plugins.Command, iterated func(plugins.Event)) (plugins.Event, error) {
	if len(c.links) == 1 {
		return c.links[0].Stream.Do(command, iterated)
	}
	if command.Op == plugins.Init || command.Op == plugins.Restore {
		if err := c.spread(); err != nil {
			return plugins.Event{}, err
		}
	}
	answers, err := c.doAll(command)
	if err != nil {
		return plugins.Event{}, err
	}
	if command.Op != plugins.Apply {
		return answers[0], nil
	}
	return c.conclude(answers)
}

// doAll is one answer from each device.
func (c *Chain) doAll(command plugins.Command) ([]plugins.Event, error) {
	return c.doEach(func(int) plugins.Command { return command })
}

// doEach is one answer from each device, to a command of its own.
func (c *Chain) doEach(command func(i int) plugins.Command) ([]plugins.Event, error) {
	came := make([]chan plugins.Event, len(c.links))
	for i, d := range c.links {
		came[i] = make(chan plugins.Event, 1)
		x := link.Call{Done: func(e plugins.Event) { came[i] <- e }}
		if err := d.Stream.Send(command(i), x); err != nil {
			return nil, err
		}
	}
	answers := make([]plugins.Event, len(c.links))
	for i := range came {
		select {
		case answers[i] = <-came[i]:
		case <-c.ctx.Done():
			return nil, context.Cause(c.ctx)
		}
	}
	return answers, nil
}

// conclude ends an iteration that each device has ended for its share: all are told what came of
// the others, and go on from there.
func (c *Chain) conclude(answers []plugins.Event) (plugins.Event, error) {
	it, err := c.together(answers)
	if err == nil && c.plan.Kernel.Joins {
		return c.join(it)
	}
	if err == nil {
		err = c.exchange()
	}
	if err != nil {
		return plugins.Event{}, err
	}
	return c.restoreAll(it)
}

// restoreAll has all devices go on from what is in their columns.
func (c *Chain) restoreAll(it plugins.Iteration) (plugins.Event, error) {
	c.Expect(it.Number)
	answers, err := c.doAll(plugins.Command{Op: plugins.Restore, Iteration: it})
	if err != nil {
		return plugins.Event{}, err
	}
	return answers[0], nil
}

// together is the iteration of which each device has done its share.
func (c *Chain) together(answers []plugins.Event) (it plugins.Iteration, err error) {
	it.Number = answers[0].Iteration.Number
	for i, e := range answers {
		if own := e.Iteration; own.Number != it.Number {
			return it, violation.Of(c.links[i].Name, "it has ended iteration %d, others %d", own.Number, it.Number)
		}
		it.Active += e.Iteration.Active
		it.Looked = it.Looked.Plus(e.Iteration.Looked)
		if c.plan.Task.Program.Norm == algorithms.LInf {
			it.Change = max(it.Change, e.Iteration.Change)
		} else {
			it.Change += e.Iteration.Change
		}
	}
	return it, nil
}

// Expect has the next iteration be of that number.
func (c *Chain) Expect(iteration int) {
	for _, d := range c.links {
		d.Stream.Expect(iteration)
	}
}

// Waiting tells whether a device owes an answer.
func (c *Chain) Waiting() bool {
	for _, d := range c.links {
		if d.Stream.Waiting() {
			return true
		}
	}
	return false
}

// Finish tells the devices that there are no more commands, and waits for them to leave.
func (c *Chain) Finish() error {
	for _, d := range c.links {
		if err := d.Stream.Finish(); err != nil {
			return err
		}
	}
	return nil
}

// Wait waits until no device listens any more: the run's ctx has ended, or Finish has been called.
func (c *Chain) Wait() {
	for _, d := range c.links {
		d.Stream.Wait()
	}
}
