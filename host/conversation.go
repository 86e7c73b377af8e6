package host

import (
	"context"
	"sync"

	"github.com/penstock-db/penstock/plugins"
)

// conversation is the one stream of commands to a session and of its answers.
//
//	send ──Command──▶ Execute ──Event──▶ handle ──▶ honest? ──▶ meter, done functions
//
// The first thing that goes wrong, here or in the device, ends ctx with that cause.
type conversation struct {
	ctx      context.Context
	fail     context.CancelCauseFunc
	session  plugins.Session
	commands chan plugins.Command
	ended    chan struct{} // closed when Execute has returned
	meters   []*meter
	named    func(error) error
	progress func(float64)
	worked   func(plugins.Op, plugins.Event) // hears of every command that is done
	honesty  honesty

	mu      sync.Mutex // protects the fields below; one event is handled at a time
	last    uint64     // Seq given out
	pending map[uint64]*exchange
	pulse   pulse
}

// exchange is a command that has not been answered yet.
type exchange struct {
	op       plugins.Op
	latest   plugins.Event       // of this command
	iterated func(plugins.Event) // for every event with an Iteration; may be nil
	done     func(plugins.Event) // for the last event; must not block
}

// start opens the conversation. diagnose turns the error of Execute into the run's.
func (c *conversation) start(diagnose func(error) error) {
	c.commands, c.ended = make(chan plugins.Command), make(chan struct{})
	c.pending = map[uint64]*exchange{}
	go func() {
		defer close(c.ended)
		err := c.session.Execute(c.ctx, c.commands, c.handle)
		if err == nil && c.waiting() {
			err = lie(c.honesty.device, "it stopped listening with commands unanswered")
		}
		if err != nil && c.ctx.Err() == nil {
			c.fail(diagnose(err))
		}
	}()
}

// send passes a command on. It waits only for the stream to take it.
func (c *conversation) send(command plugins.Command, x exchange) error {
	c.mu.Lock()
	c.last++
	command.Seq = c.last
	x.op = command.Op
	if len(c.pending) == 0 {
		c.pulse.beat()
	}
	c.pending[command.Seq] = &x
	c.mu.Unlock()
	select {
	case c.commands <- command:
		return nil
	case <-c.ctx.Done():
		return context.Cause(c.ctx)
	}
}

// expect has the next iteration be of that number.
func (c *conversation) expect(iteration int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.honesty.next = iteration
}

// do sends a command and waits until it has been done.
func (c *conversation) do(command plugins.Command, iterated func(plugins.Event)) (plugins.Event, error) {
	answer := make(chan plugins.Event, 1)
	err := c.send(command, exchange{iterated: iterated, done: func(e plugins.Event) { answer <- e }})
	if err != nil {
		return plugins.Event{}, err
	}
	select {
	case e := <-answer:
		return e, nil
	case <-c.ctx.Done():
		return plugins.Event{}, context.Cause(c.ctx)
	}
}

// handle takes an event from the device.
func (c *conversation) handle(e plugins.Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx.Err() != nil {
		return // the run is over; a dying device may say anything
	}
	c.pulse.beat()
	x := c.pending[e.Seq]
	if err := c.honesty.check(x, e); err != nil {
		c.fail(err)
		return
	}
	if e.Err != nil {
		c.fail(c.named(e.Err))
		return
	}
	for _, m := range c.meters {
		m.worked(x.op, x.latest, e)
	}
	x.latest = e
	c.tell(x, e)
}

func (c *conversation) tell(x *exchange, e plugins.Event) {
	if e.Fraction > 0 {
		c.progress(e.Fraction)
	}
	if e.Iteration != nil && x.iterated != nil {
		x.iterated(e)
	}
	if e.Done {
		c.worked(x.op, e)
		delete(c.pending, e.Seq)
		if x.done != nil {
			x.done(e)
		}
	}
}

func (c *conversation) waiting() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.pending) > 0
}

// finish tells the device that there are no more commands, and waits for it to leave.
func (c *conversation) finish() error {
	close(c.commands)
	select {
	case <-c.ended:
	case <-c.ctx.Done():
	}
	return context.Cause(c.ctx)
}
