// Package chain has several devices act as one. A chunk is read from the store
// once, and is given to the first device that has use for it; that hands it on: the next is told
// of the same range of the arena, or of the file, as soon as the first has it, and, if the two know a shorter way
// (peer.go), where the first has put it. Ma et al., "NeuGraph", ATC'19, section 4.2: chain-based streaming.
//
//	run ──Upload──▶ device 1 ──done, Export──▶ device 2 ──done, Export──▶ …     chunks
//	                 │ Apply                    │ Apply
//	                 └── state of each share, to all others ──┘   exchange.go
//	                 │ Restore          │ Restore
//
// Each device goes through the edges that lead to its own share of the vertices. With one device
// there is none to hand anything on to.
package chain

import (
	"context"
	"sync"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/device"
	"github.com/penstock-db/penstock/host/internal/link"
	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/host/internal/violation"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// Chain is the devices of a run, one behind the other.
type Chain struct {
	ctx    context.Context // the run's
	plan   *plan.Plan
	links  []*member
	memory *arena.Arena
	rec    *meter.Recorder
	notice func(error)

	answering sync.Mutex     // one answer of several devices is handled at a time
	lent      sync.WaitGroup // for Evicts that wait for the next device
}

// member is a device in its place of the chain.
type member struct {
	*device.Device
	orders  chan order               // what follows it in the chain; nil: it is the first, and is told at once
	relayed chan struct{}            // closed when there are no more
	lent    map[uint32]chan struct{} // chunks that the next one copies from here: closed once it has
	told    bool                     // why it does not copy from the one before, or the next from it
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

// order is a command that waits until the device before has done it.
type order struct {
	command plugins.Command
	call    link.Call
	after   <-chan string // what the device before has exported; nil: it need not wait
}

// ordersAhead is how many a device may be behind the first.
const ordersAhead = 64

// New opens streams to all devices.
func New(ctx context.Context, r Config) *Chain {
	c := &Chain{ctx: ctx, plan: r.Plan, memory: r.Memory, rec: r.Rec, notice: r.Events.Noticed}
	for i, d := range r.Group.Devices {
		r.Group.Talk(ctx, r.Fail, d, r.Plan.Graph.Manifest().Vertices, r.Rec, r.Events)
		m := &member{Device: d}
		if i > 0 {
			m.orders, m.relayed = make(chan order, ordersAhead), make(chan struct{})
			go m.relay(ctx)
		}
		c.links = append(c.links, m)
	}
	return c
}

// relay passes orders on, until there are no more or the run is over.
func (d *member) relay(ctx context.Context) {
	defer close(d.relayed)
	for {
		select {
		case o, more := <-d.orders:
			if !more || !d.passOn(ctx, o) {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// passOn sends an order once the device before has done it. It tells whether the run goes on.
func (d *member) passOn(ctx context.Context, o order) bool {
	if o.after != nil {
		select {
		case o.command.Import = <-o.after:
		case <-ctx.Done():
			return false
		}
	}
	return d.Stream.Send(o.command, o.call) == nil
}

// order has the device do something after all it was told before.
func (d *member) order(ctx context.Context, o order) error {
	if d.orders == nil {
		return d.Stream.Send(o.command, o.call)
	}
	select {
	case d.orders <- o:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Send has the devices that a command concerns do it. It waits for none of them.
func (c *Chain) Send(command plugins.Command, x link.Call) error {
	to := c.receivers(command)
	if len(c.links) > 1 {
		x.Done = c.gather(len(to), x.Done)
	}
	if command.Op == plugins.Upload {
		return c.hand(to, command, x)
	}
	for _, d := range to {
		if err := c.orderLater(d, order{command: command, call: x}); err != nil {
			return err
		}
	}
	return nil
}

// hand has devices take a chunk: the first of the host, each other of the one before, once that has it.
func (c *Chain) hand(to []*member, upload plugins.Command, x link.Call) error {
	var before chan string
	for i, d := range to {
		o := order{command: upload, call: x, after: before}
		o.call.Done = c.count(d, i, upload, o.call.Done)
		if i > 0 {
			o.call.Done = c.taken(to[i-1], d, upload, o.call.Done)
		}
		if len(to) > 1 {
			o.call.Done = c.declining(d, o.call.Done)
		}
		if before = nil; i < len(to)-1 {
			before = make(chan string, 1)
			o.command.Export = d.lends(to[i+1], upload.Chunk)
			o.call.Done = handingOn(before, o.call.Done)
		}
		if err := d.order(c.ctx, o); err != nil {
			return err
		}
	}
	return nil
}

// handingOn tells the next device what an answer says, before it is handled.
func handingOn(next chan<- string, done func(plugins.Event)) func(plugins.Event) {
	return func(e plugins.Event) {
		next <- e.Export // of which it is the only one
		done(e)
	}
}

// count counts a chunk that the i-th of the devices that have use for it is given: by the host, or by the
// device before. What a device takes of it by itself is counted when done, for only then is it known.
func (c *Chain) count(d *member, i int, upload plugins.Command, done func(plugins.Event)) func(plugins.Event) {
	switch bytes := upload.At.Length; {
	case upload.Among.Length > 0:
		return func(e plugins.Event) {
			d.Spent.Sent(e.Bytes, 0)
			c.rec.Meter.Sent(e.Bytes, 0)
			done(e)
		}
	case i == 0:
		d.Spent.Sent(bytes, 0)
	default:
		d.Spent.Forwarded(bytes)
		c.rec.Meter.Forwarded(bytes)
	}
	return done
}

// gather makes one answer of several, which came of work done at the same time.
func (c *Chain) gather(answers int, done func(plugins.Event)) func(plugins.Event) {
	var all plugins.Event
	return func(e plugins.Event) {
		c.answering.Lock()
		defer c.answering.Unlock()
		all.Transfer, all.Compute = max(all.Transfer, e.Transfer), max(all.Compute, e.Compute)
		all.Bytes, all.Edges = all.Bytes+e.Bytes, all.Edges+e.Edges
		if answers--; answers == 0 && done != nil {
			done(all)
		}
	}
}

// receivers are the devices that have use for a command's chunk, in their order.
func (c *Chain) receivers(command plugins.Command) (all []*member) {
	if len(c.links) == 1 {
		return c.links
	}
	reached := chunk.Interval{Count: c.plan.Graph.Manifest().Vertices}
	if number := int(command.Chunk); !c.plan.Kernel.ActiveRows && number < len(c.plan.Chunks) {
		reached = c.plan.Chunks[number].Info.Rows
	}
	for _, d := range c.links {
		if max(d.Share.Base, reached.Base) < min(d.Share.End(), reached.End()) {
			all = append(all, d)
		}
	}
	if len(all) == 0 {
		return c.links[:1]
	}
	return all
}

// Do has all devices do a command, and waits until they have. Of several, Apply ends with each
// knowing what the others have.
func (c *Chain) Do(command plugins.Command, iterated func(plugins.Event)) (plugins.Event, error) {
	if len(c.links) == 1 {
		return c.links[0].Stream.Do(command, iterated)
	}
	c.lent.Wait()
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
	came := make([]chan plugins.Event, len(c.links))
	for i, d := range c.links {
		came[i] = make(chan plugins.Event, 1)
		x := link.Call{Done: func(e plugins.Event) { came[i] <- e }}
		if err := d.order(c.ctx, order{command: command, call: x}); err != nil {
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
	if err == nil {
		err = c.exchange()
	}
	if err != nil {
		return plugins.Event{}, err
	}
	c.Expect(it.Number)
	answers, err = c.doAll(plugins.Command{Op: plugins.Restore, Iteration: it})
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
	c.lent.Wait()
	for _, d := range c.links {
		if d.orders != nil {
			close(d.orders)
			<-d.relayed
		}
		if err := d.Stream.Finish(); err != nil {
			return err
		}
	}
	return nil
}

// Wait waits until no device listens any more: the run's ctx has ended, or Finish has been called.
func (c *Chain) Wait() {
	for _, d := range c.links {
		if d.Stream.Wait(); d.relayed != nil {
			<-d.relayed
		}
	}
}
