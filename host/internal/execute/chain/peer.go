package chain

import (
	"fmt"

	"github.com/penstock-db/penstock/plugins"
)

// Peer copies: devices that know a way to each other (Description.Peers) hand chunks on without the arena, so that
// each crosses the host's link once.
//
//	device 1  Upload ─▶ done, Export            Step …  Evict, held back ─▶
//	                           └──Import──▶            ▲
//	device 2                    Upload ─▶ copies ─▶ done, Imported     Step …  Evict ─▶
//
// The host holds the Evict of a chunk back until the next device has answered its Upload, and everything that is not
// about chunks until the Evicts are on their way; sessions are closed when none Executes any more. So what is copied
// stays as it is meanwhile. If one of the two dies the run ends, as it does with any other device.

// lends tells whether the next device is to copy a chunk from this one, and remembers it until Evict.
func (d *member) lends(next *member, chunk uint32) bool {
	if d.About.Peers == "" || d.About.Peers != next.About.Peers {
		return false
	}
	if d.lent == nil {
		d.lent = map[uint32]chan struct{}{}
	}
	d.lent[chunk] = make(chan struct{})
	return true
}

// taken gives the chunk back to the device before when this one has answered, and counts what has not crossed the link.
func (c *Chain) taken(before, d *member, upload plugins.Command, done func(plugins.Event)) func(plugins.Event) {
	lent := before.lent[upload.Chunk]
	return func(e plugins.Event) {
		if lent != nil {
			close(lent)
		}
		if e.Imported {
			d.Spent.Peered(upload.At.Length)
			c.rec.Meter.Peered(upload.At.Length)
		}
		done(e)
	}
}

// declining notices why chunks cross the link more often than they had to, once for each device.
func (c *Chain) declining(d *member, done func(plugins.Event)) func(plugins.Event) {
	return func(e plugins.Event) {
		if e.Declined != "" && !d.told {
			d.told = true
			c.notice(fmt.Errorf("chunks cross the link to the host more than once: %s: %s", d.Name, e.Declined))
		}
		done(e)
	}
}

// orderLater orders a command, an Evict once the next device has the chunk. It does not wait for that.
func (c *Chain) orderLater(d *member, o order) error {
	lent := d.lent[o.command.Chunk]
	if o.command.Op != plugins.Evict || lent == nil {
		return d.order(c.ctx, o)
	}
	delete(d.lent, o.command.Chunk)
	c.lent.Go(func() {
		select {
		case <-lent:
			_ = d.order(c.ctx, o) // what fails ends the run
		case <-c.ctx.Done():
		}
	})
	return nil
}
