package chain

import (
	"math/bits"
	"time"

	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
)

// Tell tells the devices that do not own them what some vertices have come to, whose value is final. They are to send
// there as well: those that are other than was known there, or were active from the beginning (begun, a bitmap). It
// tells where the run stands.
//
// Meet tells of all that has changed. That is for values that may be sent before they are the best: where vertices send
// in an order, each once, a device is not to know of another's vertex before its value is final.
func (c *Chain) Tell(some []uint64, begun schedule.Bitmap, last plugins.Iteration) (plugins.Iteration, error) {
	started, told := time.Now(), uint64(0)
	columns, active := make([][]column, len(c.links)), make([]schedule.Bitmap, len(c.links))
	for i, d := range c.links {
		var err error
		if columns[i], err = c.columns(d.Layout); err != nil {
			return last, err
		}
		if active[i], err = c.memory.Uint64s(d.Layout.Active); err != nil {
			return last, err
		}
	}
	for _, v := range some {
		own := columns[c.owner(v)]
		for i, other := range columns {
			unlike := !same(own, other, v, 1) // nor is the owner unlike itself
			if unlike {
				told += numberBytes
				for k := range own {
					told += uint64(copy(other[k].of(v, 1), own[k].of(v, 1)))
				}
			}
			if i != c.owner(v) && (unlike || begun.Has(v)) {
				active[i].Add(v)
			}
		}
	}
	c.rec.Meter.Exchanged(told)
	c.rec.Trace.Stage("tell", started, told)
	return c.goOn(last)
}

// Own has each device know of its own vertices alone that they are active. It tells where the run stands.
func (c *Chain) Own(last plugins.Iteration) (plugins.Iteration, error) {
	for _, d := range c.links {
		active, err := c.memory.Uint64s(d.Layout.Active)
		if err != nil {
			return last, err
		}
		clear(active[:d.Share.Base/64]) // shares are of whole words
		clear(active[(d.Share.End()+63)/64:])
	}
	return c.goOn(last)
}

// goOn has all devices go on from what is in their columns, each with the vertices that it has active.
func (c *Chain) goOn(last plugins.Iteration) (it plugins.Iteration, err error) {
	all := make(schedule.Bitmap, (c.plan.Graph.Manifest().Vertices+63)/64)
	counts := make([]uint64, len(c.links))
	for i, d := range c.links {
		active, err := c.memory.Uint64s(d.Layout.Active)
		if err != nil {
			return last, err
		}
		for k, word := range active[:len(all)] {
			all[k] |= word
			counts[i] += uint64(bits.OnesCount64(word))
		}
	}
	it.Number = last.Number
	for _, word := range all {
		it.Active += uint64(bits.OnesCount64(word))
	}
	it.Converged = it.Active == 0
	c.Expect(it.Number)
	_, err = c.doEach(func(i int) plugins.Command {
		own := it
		own.Active = counts[i]
		return plugins.Command{Op: plugins.Restore, Iteration: own}
	})
	return it, err
}
