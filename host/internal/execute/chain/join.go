package chain

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/device"
	"github.com/penstock-db/penstock/host/internal/link"
	"github.com/penstock-db/penstock/plugins"
)

// join ends an iteration in which each device has joined vertices, or reached some, along its own edges
// (plugins.ExtensionJoins). The state of all vertices goes along the chain, as far as the next device has another, and
// every device adds to it what it has found itself. The last one's goes back to all.
//
//	device 1 ──state──▶ device 2 ──state──▶ … ──state──▶ device d ──state──▶ all others: complete
func (c *Chain) join(it plugins.Iteration) (plugins.Event, error) {
	started, last := time.Now(), len(c.links)-1
	var bytes uint64
	tell := func(from, to int) error {
		told, err := c.tellUnlike(c.links[from], c.links[to])
		if bytes += told; err != nil {
			return err
		}
		return c.calm(c.links[to])
	}
	for k := range last {
		if err := tell(k, k+1); err != nil {
			return plugins.Event{}, err
		}
		if err := c.restoreOne(k+1, it); err != nil {
			return plugins.Event{}, err
		}
	}
	for k := range last {
		if err := tell(last, k); err != nil {
			return plugins.Event{}, err
		}
	}
	if err := c.calm(c.links[last]); err != nil {
		return plugins.Event{}, err
	}
	c.rec.Meter.Exchanged(bytes)
	c.rec.Trace.Stage("join", started, bytes)
	it.Complete = true
	return c.restoreAll(it)
}

// tellUnlike has a device have the state of another, and tells the bytes: of the vertices that it knows otherwise, with
// their numbers, or of all, if that is less.
func (s *state) tellUnlike(from, to *device.Device) (told uint64, err error) {
	source, err := s.columns(from.Layout)
	if err != nil {
		return 0, err
	}
	target, err := s.columns(to.Layout)
	if err != nil {
		return 0, err
	}
	all, each := s.plan.Graph.Manifest().Vertices, uint64(0)
	for _, column := range source {
		each += column.width
	}
	for v := range unlike(source, target, chunk.Interval{Count: all}) {
		for k, column := range source {
			copy(target[k].of(v, 1), column.of(v, 1))
		}
		told += numberBytes + each
	}
	return min(told, each*all), nil
}

// calm has none of a device's vertices be active: what it asks for, it asks for when it is restored.
func (s *state) calm(d *device.Device) error {
	active, err := s.memory.Uint64s(d.Layout.Active)
	clear(active)
	return err
}

// restoreOne has one device go on from what is in its columns.
func (c *Chain) restoreOne(i int, it plugins.Iteration) error {
	stream, answer := c.links[i].Stream, make(chan plugins.Event, 1)
	stream.Expect(it.Number)
	command := plugins.Command{Op: plugins.Restore, Iteration: it}
	err := stream.Send(command, link.Call{Done: func(e plugins.Event) { answer <- e }})
	if err != nil {
		return err
	}
	select {
	case <-answer:
		return nil
	case <-c.ctx.Done():
		return context.Cause(c.ctx)
	}
}
