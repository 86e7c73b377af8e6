package chain

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/link"
	"github.com/penstock-db/penstock/plugins"
)

// join ends an iteration in which each device has joined vertices along its own edges (plugins.ExtensionJoins). The
// state of all vertices goes along the chain, and every device adds to it what it has joined itself. The last one's
// goes back to all.
//
//	device 1 ──state──▶ device 2 ──state──▶ … ──state──▶ device d ──state──▶ all others
func (c *Chain) join(it plugins.Iteration) (plugins.Event, error) {
	started, last := time.Now(), len(c.links)-1
	var bytes uint64
	var answer plugins.Event
	tell := func(from, to int) error {
		copied, err := c.copyColumns(c.links[from], c.links[to], c.computed(),
			chunk.Interval{Count: c.plan.Graph.Manifest().Vertices})
		if err != nil {
			return err
		}
		active, err := c.memory.Uint64s(c.links[to].Layout.Active)
		if err != nil {
			return err
		}
		clear(active) // what it asks for, it asks for then
		bytes += copied
		answer, err = c.restoreOne(to, it)
		return err
	}
	for k := range last {
		if err := tell(k, k+1); err != nil {
			return answer, err
		}
	}
	for k := range last {
		if err := tell(last, k); err != nil {
			return answer, err
		}
	}
	c.rec.Meter.Exchanged(bytes)
	c.rec.Trace.Stage("join", started, bytes)
	return answer, nil
}

// restoreOne has one device go on from what is in its columns.
func (c *Chain) restoreOne(i int, it plugins.Iteration) (plugins.Event, error) {
	stream, answer := c.links[i].Stream, make(chan plugins.Event, 1)
	stream.Expect(it.Number)
	command := plugins.Command{Op: plugins.Restore, Iteration: it}
	err := stream.Send(command, link.Call{Done: func(e plugins.Event) { answer <- e }})
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
