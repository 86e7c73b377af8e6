package chain

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/host/internal/device"
	"github.com/penstock-db/penstock/host/internal/link"
	"github.com/penstock-db/penstock/plugins"
)

// join ends an iteration in which each device has joined vertices, or reached some, along its own edges
// (plugins.ExtensionJoins). The state of all vertices goes along the chain, as far as the next device has another, and
// every device adds to it what it has found itself. The last one's goes back to all.
//
//	device 1 ──state──▶ device 2 ──state──▶ … ──state──▶ device d ──state──▶ all others
func (c *Chain) join(it plugins.Iteration) (plugins.Event, error) {
	started, last := time.Now(), len(c.links)-1
	var bytes uint64
	var answer plugins.Event
	tell := func(from, to int) error {
		told, err := c.tellUnlike(c.links[from], c.links[to])
		if err != nil {
			return err
		}
		active, err := c.memory.Uint64s(c.links[to].Layout.Active)
		if err != nil {
			return err
		}
		clear(active) // what it asks for, it asks for then
		bytes += told
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

// unlikeBlock is how many vertices are compared at once.
const unlikeBlock = 64

// tellUnlike has a device have the state of another, and tells the bytes: of the vertices that it knows otherwise, with
// their numbers, or of all, if that is less.
func (c *Chain) tellUnlike(from, to *device.Device) (told uint64, err error) {
	source, err := c.columns(from.Layout)
	if err != nil {
		return 0, err
	}
	target, err := c.columns(to.Layout)
	if err != nil {
		return 0, err
	}
	all, each := c.plan.Graph.Manifest().Vertices, uint64(0)
	for _, column := range source {
		each += column.width
	}
	for base := uint64(0); base < all; base += unlikeBlock {
		count := min(unlikeBlock, all-base)
		if same(source, target, base, count) {
			continue
		}
		for v := base; v < base+count; v++ {
			if same(source, target, v, 1) {
				continue
			}
			for k, column := range source {
				copy(target[k].of(v, 1), column.of(v, 1))
			}
			told += numberBytes + each
		}
	}
	return min(told, each*all), nil
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
