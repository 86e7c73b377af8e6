// Package link speaks the contract with one session of a device: it sends commands, takes the events that answer them,
// checks each against the contract, meters what it tells, and ends a run whose device stays silent.
//
//	Send ──Command──▶ Execute ──Event──▶ handle ──▶ contract.check ──▶ meters, done functions
//
// The first thing that goes wrong, here or in the device, ends the context of the run with that cause.
package link

import (
	"context"
	"sync"

	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/host/internal/violation"
	"github.com/penstock-db/penstock/plugins"
)

// Stream is the one stream of commands to a session and of its events.
type Stream struct {
	Config
	ctx      context.Context
	fail     context.CancelCauseFunc
	commands chan plugins.Command
	ended    chan struct{} // closed when Execute has returned
	contract contract

	mu      sync.Mutex // protects the fields below; one event is handled at a time
	last    uint64     // Seq given out
	pending map[uint64]*call
	leaving bool // Finish waits for the device to leave
	pulse   pulse
}

// Config says what a stream is to, and what hears of it.
type Config struct {
	Session  plugins.Session
	Device   string // as errors call it
	Budget   uint64
	Vertices uint64
	Meters   []*meter.Meter
	Named    func(error) error               // says of which device an error is
	Diagnose func(error) error               // turns the error of Execute into the run's
	Progress func(fraction float64)          // of a procedure
	Done     func(plugins.Op, plugins.Event) // hears of every command that is done
}

// Call is what is done with the events of a command.
type Call struct {
	Iterated func(plugins.Event) // for every event with an Iteration, an Epoch or Work; may be nil
	Done     func(plugins.Event) // for the last event; must not block; may be nil
}

// call is a command that is under way.
type call struct {
	Call
	op     plugins.Op
	latest plugins.Event
}

// Open begins a stream. What goes wrong calls fail, which ends ctx.
func Open(ctx context.Context, fail context.CancelCauseFunc, c Config) *Stream {
	s := &Stream{Config: c, ctx: ctx, fail: fail, commands: make(chan plugins.Command), ended: make(chan struct{}),
		pending:  map[uint64]*call{},
		contract: contract{device: c.Device, budget: c.Budget, vertices: c.Vertices}}
	go func() {
		defer close(s.ended)
		err := c.Session.Execute(ctx, s.commands, s.handle)
		if err == nil && s.Waiting() {
			err = violation.Of(c.Device, "it stopped listening with commands unanswered")
		}
		if err != nil && ctx.Err() == nil {
			fail(c.Diagnose(err))
		}
	}()
	return s
}

// Send passes a command on. It waits only for the stream to take it.
func (s *Stream) Send(command plugins.Command, x Call) error {
	s.mu.Lock()
	s.last++
	command.Seq = s.last
	if len(s.pending) == 0 {
		s.pulse.beat()
	}
	s.pending[command.Seq] = &call{Call: x, op: command.Op}
	s.mu.Unlock()
	select {
	case s.commands <- command:
		return nil
	case <-s.ctx.Done():
		return context.Cause(s.ctx)
	}
}

// Expect has the next iteration be of that number.
func (s *Stream) Expect(iteration int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.contract.next = iteration
}

// Do sends a command and waits until it has been done.
func (s *Stream) Do(command plugins.Command, iterated func(plugins.Event)) (plugins.Event, error) {
	answer := make(chan plugins.Event, 1)
	err := s.Send(command, Call{Iterated: iterated, Done: func(e plugins.Event) { answer <- e }})
	if err != nil {
		return plugins.Event{}, err
	}
	select {
	case e := <-answer:
		return e, nil
	case <-s.ctx.Done():
		return plugins.Event{}, context.Cause(s.ctx)
	}
}

// handle takes an event from the device.
func (s *Stream) handle(e plugins.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		return // the run is over; a dying device may say anything
	}
	s.pulse.beat()
	x := s.pending[e.Seq]
	if err := s.contract.check(x, e); err != nil {
		s.fail(err)
		return
	}
	if e.Err != nil {
		s.fail(s.Named(e.Err))
		return
	}
	for _, m := range s.Meters {
		m.Worked(x.op, x.latest, e)
	}
	if e.Epoch != nil {
		s.contract.epochs++
	}
	x.latest = e
	s.tell(x, e)
}

func (s *Stream) tell(x *call, e plugins.Event) {
	if e.Fraction > 0 {
		s.Progress(e.Fraction)
	}
	if (e.Iteration != nil || e.Epoch != nil || e.Work != nil) && x.Iterated != nil {
		x.Iterated(e)
	}
	if e.Done {
		s.Done(x.op, e)
		delete(s.pending, e.Seq)
		if x.Done != nil {
			x.Done(e)
		}
	}
}

// Waiting tells whether the device owes an answer.
func (s *Stream) Waiting() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.pending) > 0
}

// owes tells whether the device owes a sign of life: an answer, or that it leaves.
func (s *Stream) owes() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.pending) > 0 || s.leaving
}

// Finish tells the device that there are no more commands, and waits for it to leave.
func (s *Stream) Finish() error {
	s.mu.Lock()
	s.leaving = true
	s.pulse.beat()
	s.mu.Unlock()
	close(s.commands)
	select {
	case <-s.ended:
	case <-s.ctx.Done():
	}
	return context.Cause(s.ctx)
}

// Wait waits until the device listens no more: the run's context has ended, or Finish has been called.
func (s *Stream) Wait() { <-s.ended }
