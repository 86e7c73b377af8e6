package chain

import (
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
)

// Tell tells the devices that do not own them what some vertices have come to, whose value is final. They are to send
// there as well: those that are other than was known there, or were active from the beginning (begun, a bitmap).
//
// Meet tells of all that has changed. That is for values that may be sent before they are the best: where vertices send
// in an order, each once, a device is not to know of another's vertex before its value is final.
func (c *Chain) Tell(some []uint64, begun schedule.Bitmap, last plugins.Iteration) error {
	started, told, shares := time.Now(), uint64(0), c.Shares()
	columns, active := make([][]column, len(c.links)), make([]schedule.Bitmap, len(c.links))
	for i, d := range c.links {
		var err error
		if columns[i], err = c.columns(d.Layout); err != nil {
			return err
		}
		if active[i], err = c.memory.Uint64s(d.Layout.Active); err != nil {
			return err
		}
	}
	for _, v := range some {
		owner := schedule.Owner(shares, v)
		own := columns[owner]
		for i, other := range columns {
			if i == owner {
				continue
			}
			unlike := !same(own, other, v, 1)
			if unlike {
				told += numberBytes
				for k := range own {
					told += uint64(copy(other[k].of(v, 1), own[k].of(v, 1)))
				}
			}
			if unlike || begun.Has(v) {
				active[i].Add(v)
			}
		}
	}
	c.rec.Meter.Exchanged(told)
	c.rec.Trace.Stage("tell", started, told)
	_, err := c.goOn(last.Number)
	return err
}

// Own has each device know of its own vertices alone that they are active. It tells where the run stands.
func (c *Chain) Own(last plugins.Iteration) (it plugins.Iteration, err error) {
	for _, d := range c.links {
		active, err := c.memory.Uint64s(d.Layout.Active)
		if err != nil {
			return last, err
		}
		clear(active[:d.Share.Base/64]) // shares are of whole words
		clear(active[(d.Share.End()+63)/64:])
	}
	it.Number = last.Number
	active, err := c.goOn(it.Number)
	for _, own := range active {
		it.Active += own
	}
	it.Converged = it.Active == 0
	return it, err
}

// goOn has all devices go on from what is in their columns, each with the vertices that it has active, and tells how
// many these are.
func (c *Chain) goOn(number int) (active []uint64, err error) {
	all := chunk.Interval{Count: c.plan.Graph.Manifest().Vertices}
	for _, d := range c.links {
		words, err := c.memory.Uint64s(d.Layout.Active)
		if err != nil {
			return nil, err
		}
		active = append(active, schedule.Bitmap(words).Count(all))
	}
	c.Expect(number)
	_, err = c.doEach(func(i int) plugins.Command {
		it := plugins.Iteration{Number: number, Active: active[i], Converged: active[i] == 0}
		return plugins.Command{Op: plugins.Restore, Iteration: it}
	})
	return active, err
}
