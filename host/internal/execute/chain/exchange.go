package chain

import (
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
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
