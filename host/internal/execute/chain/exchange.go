package chain

import (
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/device"
	"github.com/penstock-db/penstock/host/internal/plan"
)

// spread gives all devices what the first has in its columns: the inputs, or the state of a
// checkpoint, all of it.
func (c *Chain) spread() error {
	for _, d := range c.links[1:] {
		if _, err := c.copyVertices(c.links[0], d, 0, chunk.Interval{Count: c.plan.Graph.Manifest().Vertices}); err != nil {
			return err
		}
	}
	return nil
}

// computed is the first column that devices write.
func (c *Chain) computed() int { return len(c.plan.Columns) - len(c.plan.Task.Program.State) }

// exchange gives each device the state and the active vertices of the others' shares.
func (c *Chain) exchange() error {
	started := time.Now()
	first := c.computed()
	var bytes uint64
	for _, from := range c.links {
		for _, to := range c.links {
			if from == to {
				continue
			}
			copied, err := c.copyVertices(from, to, first, *from.Share)
			if err != nil {
				return err
			}
			bytes += copied
		}
	}
	c.rec.Meter.Exchanged(bytes)
	c.rec.Trace.Stage("exchange", started, bytes)
	return nil
}

// copyVertices copies an interval of the columns from `first` on, and of the active set, from one device's
// to another's.
func (c *Chain) copyVertices(from, to *device.Device, first int, of chunk.Interval) (bytes uint64, err error) {
	if bytes, err = c.copyColumns(from, to, first, of); err != nil {
		return bytes, err
	}
	source, err := c.memory.Uint64s(from.Layout.Active)
	if err != nil {
		return bytes, err
	}
	target, err := c.memory.Uint64s(to.Layout.Active)
	if err != nil {
		return bytes, err
	}
	words := (of.End() + 63) / 64
	return bytes + 8*uint64(copy(target[of.Base/64:words], source[of.Base/64:words])), nil
}

// copyColumns copies an interval of the columns from `first` on from one device's to another's.
func (c *Chain) copyColumns(from, to *device.Device, first int, of chunk.Interval) (bytes uint64, err error) {
	for i := first; i < len(c.plan.Columns); i++ {
		w := plan.Width(c.plan.Columns[i].Type)
		source, err := c.memory.Bytes(from.Layout.Columns[i].Range)
		if err != nil {
			return bytes, err
		}
		target, err := c.memory.Bytes(to.Layout.Columns[i].Range)
		if err != nil {
			return bytes, err
		}
		bytes += uint64(copy(target[of.Base*w:of.End()*w], source[of.Base*w:of.End()*w]))
	}
	return bytes, nil
}
