package host

import (
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
)

// spread gives all devices what the first has in its columns: the inputs, or the state of a
// checkpoint, all of it.
func (c *chain) spread() error {
	for _, d := range c.devices[1:] {
		if _, err := c.copyVertices(c.devices[0], d, 0, chunk.Interval{Count: c.snap.Manifest().Vertices}); err != nil {
			return err
		}
	}
	return nil
}

// exchange gives each device the state and the active vertices of the others' shares.
func (c *chain) exchange() error {
	started := time.Now()
	first := len(c.columns) - len(c.task.Program.State)
	var bytes uint64
	for _, from := range c.devices {
		for _, to := range c.devices {
			if from == to {
				continue
			}
			copied, err := c.copyVertices(from, to, first, *from.share)
			if err != nil {
				return err
			}
			bytes += copied
		}
	}
	c.meter.exchanged(bytes)
	c.spanBytes("exchange", started, bytes)
	return nil
}

// stateBytes is what a device has to tell, if all vertices are its share.
func (r *run) stateBytes() (bytes uint64) {
	for _, c := range r.stateColumns() {
		bytes += c.Range.Length
	}
	return bytes + r.task.Layout.Active.Length
}

// copyVertices copies an interval of the columns from `first` on, and of the active set, from one device's
// to another's.
func (c *chain) copyVertices(from, to *device, first int, of chunk.Interval) (bytes uint64, err error) {
	for i := first; i < len(c.columns); i++ {
		w := width(c.columns[i].Type)
		source, err := c.arena.Bytes(from.layout.Columns[i].Range)
		if err != nil {
			return bytes, err
		}
		target, err := c.arena.Bytes(to.layout.Columns[i].Range)
		if err != nil {
			return bytes, err
		}
		bytes += uint64(copy(target[of.Base*w:of.End()*w], source[of.Base*w:of.End()*w]))
	}
	source, err := c.arena.Uint64s(from.layout.Active)
	if err != nil {
		return bytes, err
	}
	target, err := c.arena.Uint64s(to.layout.Active)
	if err != nil {
		return bytes, err
	}
	words := (of.End() + 63) / 64
	return bytes + 8*uint64(copy(target[of.Base/64:words], source[of.Base/64:words])), nil
}
