package chain

import (
	"time"

	"github.com/penstock-db/penstock/host/internal/link"
	"github.com/penstock-db/penstock/plugins"
)

// settle has each device bring its own vertices to local convergence, along its own edges. Until they meet none knows
// what has become of the others'.
func (c *Chain) settle(command plugins.Command, x link.Call) error {
	x.Done, x.Iterated = c.gather(len(c.links), x.Done), nil
	for _, d := range c.links {
		if err := d.Stream.Send(command, x); err != nil {
			return err
		}
	}
	return nil
}

// Meet follows a Settle of several devices that all have done. Each is told which vertices of the others have changed,
// and these are to send along the edges of all. It tells who is active then, and how many bytes have been told.
//
//	device 1: what has changed of its share ─▶ device 2     active: those that a device has not had send yet,
//	device 2: what has changed of its share ─▶ device 1             and those that have changed
func (c *Chain) Meet(last plugins.Iteration) (it plugins.Iteration, told uint64, err error) {
	started := time.Now()
	active := make([]uint64, (c.plan.Graph.Manifest().Vertices+63)/64)
	for i, d := range c.links {
		own, err := c.memory.Uint64s(d.Layout.Active)
		if err != nil {
			return last, told, err
		}
		for k, word := range own[:len(active)] {
			active[k] |= word
		}
		tell := c.tellChanged
		if c.released > 0 {
			tell = c.tellReleased
		}
		bytes, err := tell(i, active)
		if err != nil {
			return last, told, err
		}
		told += bytes
	}
	for _, d := range c.links {
		own, err := c.memory.Uint64s(d.Layout.Active)
		if err != nil {
			return last, told, err
		}
		copy(own, active)
	}
	c.rec.Meter.Exchanged(told)
	c.rec.Trace.Stage("meet", started, told)
	all, err := c.goOn(last.Number)
	if err != nil {
		return last, told, err
	}
	it = plugins.Iteration{Number: last.Number, Active: all[0], Converged: all[0] == 0} // they have the same
	return it, told, nil
}

// tellChanged tells the other devices which vertices of a device's share have changed, each with its number, and adds
// them to a set: those that are not as another device knows them. It tells the bytes.
func (c *Chain) tellChanged(i int, set []uint64) (told uint64, err error) {
	own, others, err := c.ownAndOthers(i)
	if err != nil {
		return 0, err
	}
	for v := range unlike(own, others[0], *c.links[i].Share) {
		set[v/64] |= 1 << (v % 64)
		for _, other := range others {
			told += numberBytes
			for k, c := range own {
				told += uint64(copy(other[k].of(v, 1), c.of(v, 1)))
			}
		}
	}
	return told, nil
}

// numberBytes is what the number of a vertex takes that is told.
const numberBytes = 4
