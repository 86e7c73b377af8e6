package drive

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/penstock-db/penstock/plugins"
)

// patience is how long a device may say nothing before it counts as hung.
const patience = 2 * time.Minute

// Dialog is a session's stream of commands and events. It holds a device to the rules
// of that stream: each command is answered once, peaks only grow and keep to the
// budget, costs of a command only grow.
type Dialog struct {
	t        testing.TB
	Commands chan plugins.Command
	events   chan plugins.Event
	ended    chan error // Execute's result
	budget   uint64     // 0: no bound
	Seq      uint64
	Peak     uint64 // the most reported so far
	Edges    uint64 // processed, by all commands
}

// Converse starts Execute of a session, whose peak may be at most budget bytes; 0: as many as it takes.
func Converse(ctx context.Context, t testing.TB, s plugins.Session, budget uint64) *Dialog {
	d := &Dialog{
		t:        t,
		Commands: make(chan plugins.Command),
		events:   make(chan plugins.Event),
		ended:    make(chan error, 1),
		budget:   budget,
	}
	emit := func(e plugins.Event) {
		select {
		case d.events <- e:
		case <-ctx.Done():
		}
	}
	go func() { d.ended <- s.Execute(ctx, d.Commands, emit) }()
	return d
}

// Answer is what a command came to.
type Answer struct {
	last       plugins.Event
	released   bool
	Iterations []plugins.Iteration
	Epochs     []plugins.Epoch
	Work       []plugins.Work
}

// Exchange sends commands without waiting in between, as a host does, and returns their
// answers. It ends with the first error, of an event or of Execute.
func (d *Dialog) Exchange(commands ...plugins.Command) ([]Answer, error) {
	d.t.Helper()
	first := d.Seq + 1
	for i := range commands {
		d.Seq++
		commands[i].Seq = d.Seq
	}
	stop := make(chan struct{})
	defer close(stop)
	go d.send(commands, stop)
	answers := make([]Answer, len(commands))
	for open := len(commands); open > 0; {
		e, err := d.Receive()
		if err != nil {
			return answers, err
		}
		i := int(e.Seq - first)
		if e.Seq < first || i >= len(answers) || answers[i].last.Done {
			d.t.Fatalf("an event for command %d, which is not under way", e.Seq)
		}
		d.check(commands[i], answers[i].last, e)
		d.Edges += e.Edges - answers[i].last.Edges
		answers[i].take(e)
		if e.Err != nil {
			return answers, e.Err
		}
		if e.Done {
			open--
		}
	}
	return answers, nil
}

func (d *Dialog) send(commands []plugins.Command, stop <-chan struct{}) {
	for _, c := range commands {
		select {
		case d.Commands <- c:
		case <-stop:
			return
		}
	}
}

// Receive waits for the next event, or for what Execute ends with.
func (d *Dialog) Receive() (plugins.Event, error) {
	d.t.Helper()
	select {
	case e := <-d.events:
		return e, nil
	case err := <-d.ended:
		d.ended <- err
		if err == nil {
			d.t.Fatalf("Execute returned with commands unanswered")
		}
		return plugins.Event{}, err
	case <-time.After(patience):
		d.t.Fatalf("the device has not answered for %v", patience)
	}
	panic("unreachable")
}

func (a *Answer) take(e plugins.Event) {
	a.last = e
	a.released = a.released || e.Released
	if e.Iteration != nil {
		a.Iterations = append(a.Iterations, *e.Iteration)
	}
	if e.Epoch != nil {
		a.Epochs = append(a.Epochs, *e.Epoch)
	}
	a.Work = append(a.Work, e.Work...)
}

// check holds e, which follows before in the answer to c, to the rules.
func (d *Dialog) check(c plugins.Command, before, e plugins.Event) {
	d.t.Helper()
	switch {
	case e.Err != nil && !e.Done:
		d.t.Errorf("command %d failed in an event that is not its last", c.Op)
	case e.Resident > e.Peak:
		d.t.Errorf("%d bytes in use, above the peak of %d", e.Resident, e.Peak)
	case e.Peak < d.Peak:
		d.t.Errorf("the peak fell from %d to %d", d.Peak, e.Peak)
	case d.budget > 0 && e.Peak > d.budget:
		d.t.Errorf("a peak of %d bytes; the budget is %d", e.Peak, d.budget)
	case e.Fraction < 0 || e.Fraction > 1:
		d.t.Errorf("a fraction of %v", e.Fraction)
	case e.Released && c.Op != plugins.Upload && c.Op != plugins.Evict:
		d.t.Errorf("command %d released a range; it was not given one", c.Op)
	case e.Transfer < before.Transfer || e.Compute < before.Compute || e.Bytes < before.Bytes || e.Edges < before.Edges:
		d.t.Errorf("the cost of command %d fell", c.Op)
	}
	d.Peak = max(d.Peak, e.Peak)
}

// Finish tells the device that there are no more commands.
func (d *Dialog) Finish() {
	d.t.Helper()
	close(d.Commands)
	select {
	case err := <-d.ended:
		if err != nil {
			d.t.Errorf("Execute, when there were no more commands: %v", err)
		}
	case e := <-d.events:
		d.t.Errorf("an event after the last answer: %+v", e)
	case <-time.After(patience):
		d.t.Fatalf("Execute did not return when there were no more commands")
	}
}

// Refused checks that err, the answer to c, is of the kind and about the chunk it should
// be, and that Execute has ended with it.
func (d *Dialog) Refused(err error, kind plugins.Kind, c plugins.Command, noChunk bool) {
	d.t.Helper()
	var e *plugins.Error
	switch {
	case err == nil:
		d.t.Fatalf("it succeeded; expected %q", kind)
	case plugins.KindOf(err) != kind:
		d.t.Errorf("%q; expected %q", err, kind)
	case errors.As(err, &e) && !noChunk && e.Chunk != int64(c.Chunk):
		d.t.Errorf("%q is about chunk %d; expected %d", err, e.Chunk, c.Chunk)
	}
	if _, ended := d.Receive(); plugins.KindOf(ended) != kind {
		d.t.Errorf("Execute ended with %q; expected %q", ended, kind)
	}
}

// Canceled reads on until Execute has ended. Close, at the end of the test, finds the
// device idle or waits for it.
func (d *Dialog) Canceled() {
	d.t.Helper()
	for {
		_, err := d.Receive()
		if err == nil {
			continue
		}
		if plugins.KindOf(err) != plugins.KindCanceled && !errors.Is(err, context.Canceled) {
			d.t.Errorf("Execute ended with %q; expected %q", err, plugins.KindCanceled)
		}
		return
	}
}
