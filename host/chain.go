package host

import (
	"context"
	"sync"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
)

// chain is what a run talks to: its devices, one behind the other. A chunk is read from the store
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
// there is nobody to hand anything on to.
type chain struct {
	*run
	answering sync.Mutex     // one answer of several devices is handled at a time
	lent      sync.WaitGroup // for Evicts that wait for the next device
}

// order is a command that waits until the device before has done it.
type order struct {
	command plugins.Command
	x       exchange
	after   <-chan string // what the device before has exported; nil: it need not wait
}

// ordersAhead is how many a device may be behind the first.
const ordersAhead = 64

// newChain begins conversations with all devices.
func (r *run) newChain() *chain {
	c := &chain{run: r}
	if r.split != nil {
		r.split.converse()
		return c
	}
	for i, d := range r.devices {
		r.converse(r.ctx, r.fail, d)
		if i > 0 {
			d.orders, d.relayed = make(chan order, ordersAhead), make(chan struct{})
			go d.relay(r.ctx)
		}
	}
	return c
}

// converse begins a conversation with a device, whose end ends ctx.
func (r *run) converse(ctx context.Context, fail context.CancelCauseFunc, d *device) {
	d.talk = &conversation{
		ctx: ctx, fail: fail, named: d.named, session: d.session, meters: []*meter{&r.meter, &d.spent}, progress: r.events.Progress,
		worked:  func(op plugins.Op, e plugins.Event) { r.worked(d, op, e) },
		honesty: honesty{device: d.name, budget: d.budget, vertices: r.snap.Manifest().Vertices},
	}
	d.talk.start(func(err error) error { return r.diagnose(d, err) })
	go d.talk.watch(d.plugin.Device, r.req.Timeout)
}

// relay passes orders on, until there are no more or the run is over.
func (d *device) relay(ctx context.Context) {
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
func (d *device) passOn(ctx context.Context, o order) bool {
	if o.after != nil {
		select {
		case o.command.Import = <-o.after:
		case <-ctx.Done():
			return false
		}
	}
	return d.talk.send(o.command, o.x) == nil
}

// order has the device do something after all it was told before.
func (d *device) order(ctx context.Context, o order) error {
	if d.orders == nil {
		return d.talk.send(o.command, o.x)
	}
	select {
	case d.orders <- o:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// send has the devices that a command concerns do it. It waits for none of them.
func (c *chain) send(command plugins.Command, x exchange) error {
	to := c.receivers(command)
	if len(c.devices) > 1 {
		x.done = c.gather(len(to), x.done)
	}
	if command.Op == plugins.Upload {
		return c.hand(to, command, x)
	}
	for _, d := range to {
		if err := c.orderLater(d, order{command: command, x: x}); err != nil {
			return err
		}
	}
	return nil
}

// hand has devices take a chunk: the first of the host, each other of the one before, once that has it.
func (c *chain) hand(to []*device, upload plugins.Command, x exchange) error {
	var before chan string
	for i, d := range to {
		o := order{command: upload, x: x, after: before}
		o.x.done = c.count(d, i, upload, o.x.done)
		if i > 0 {
			o.x.done = c.taken(to[i-1], d, upload, o.x.done)
		}
		if len(to) > 1 {
			o.x.done = c.declining(d, o.x.done)
		}
		if before = nil; i < len(to)-1 {
			before = make(chan string, 1)
			o.command.Export = d.lends(to[i+1], upload.Chunk)
			o.x.done = handingOn(before, o.x.done)
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

// count counts a chunk that the i-th of those who have use for it is given: by the host, or by the
// device before. What a device takes of it by itself is counted when done, for only then is it known.
func (c *chain) count(d *device, i int, upload plugins.Command, done func(plugins.Event)) func(plugins.Event) {
	switch bytes := upload.At.Length; {
	case upload.Among.Length > 0:
		return func(e plugins.Event) {
			d.spent.sent(e.Bytes, 0)
			c.meter.sent(e.Bytes, 0)
			done(e)
		}
	case i == 0:
		d.spent.sent(bytes, 0)
	default:
		d.spent.handedOn(bytes)
		c.meter.handedOn(bytes)
	}
	return done
}

// gather makes one answer of several, which came of work done at the same time.
func (c *chain) gather(answers int, done func(plugins.Event)) func(plugins.Event) {
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
func (c *chain) receivers(command plugins.Command) (all []*device) {
	if len(c.devices) == 1 {
		return c.devices
	}
	reached := chunk.Interval{Count: c.snap.Manifest().Vertices}
	if number := int(command.Chunk); !c.kernel.ActiveRows && number < len(c.chunks) {
		reached = c.chunks[number].info.Rows
	}
	for _, d := range c.devices {
		if max(d.share.Base, reached.Base) < min(d.share.End(), reached.End()) {
			all = append(all, d)
		}
	}
	if len(all) == 0 {
		return c.devices[:1]
	}
	return all
}

// do has all devices do a command, and waits until they have. Of several, Apply ends with each
// knowing what the others have.
func (c *chain) do(command plugins.Command, iterated func(plugins.Event)) (plugins.Event, error) {
	if len(c.devices) == 1 {
		return c.devices[0].talk.do(command, iterated)
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
func (c *chain) doAll(command plugins.Command) ([]plugins.Event, error) {
	came := make([]chan plugins.Event, len(c.devices))
	for i, d := range c.devices {
		came[i] = make(chan plugins.Event, 1)
		x := exchange{done: func(e plugins.Event) { came[i] <- e }}
		if err := d.order(c.ctx, order{command: command, x: x}); err != nil {
			return nil, err
		}
	}
	answers := make([]plugins.Event, len(c.devices))
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
func (c *chain) conclude(answers []plugins.Event) (plugins.Event, error) {
	it, err := c.together(answers)
	if err == nil {
		err = c.exchange()
	}
	if err != nil {
		return plugins.Event{}, err
	}
	c.expect(it.Number)
	answers, err = c.doAll(plugins.Command{Op: plugins.Restore, Iteration: it})
	if err != nil {
		return plugins.Event{}, err
	}
	return answers[0], nil
}

// together is the iteration of which each device has done its share.
func (c *chain) together(answers []plugins.Event) (it plugins.Iteration, err error) {
	it.Number = answers[0].Iteration.Number
	for i, e := range answers {
		if own := e.Iteration; own.Number != it.Number {
			return it, lie(c.devices[i].name, "it has ended iteration %d, others %d", own.Number, it.Number)
		}
		it.Active += e.Iteration.Active
		if c.task.Program.Norm == algorithms.LInf {
			it.Change = max(it.Change, e.Iteration.Change)
		} else {
			it.Change += e.Iteration.Change
		}
	}
	return it, nil
}

// expect has the next iteration be of that number.
func (c *chain) expect(iteration int) {
	for _, d := range c.devices {
		d.talk.expect(iteration)
	}
}

// waiting tells whether a device owes an answer.
func (c *chain) waiting() bool {
	for _, d := range c.devices {
		if d.talk.waiting() {
			return true
		}
	}
	return false
}

// finish tells the devices that there are no more commands, and waits for them to leave.
func (c *chain) finish() error {
	c.lent.Wait()
	for _, d := range c.devices {
		if c.split != nil && d == c.split.dense {
			continue // it has been dismissed
		}
		if d.orders != nil {
			close(d.orders)
			<-d.relayed
		}
		if err := d.talk.finish(); err != nil {
			return err
		}
	}
	return nil
}

// wait waits until nobody talks any more: the run's ctx has ended, or finish has been called.
func (c *chain) wait() {
	for _, d := range c.devices {
		if <-d.talk.ended; d.relayed != nil {
			<-d.relayed
		}
	}
}
