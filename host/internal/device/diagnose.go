package device

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/plugins"
)

// lastWords is how long a lost connection waits for its process to have ended.
const lastWords = time.Second

// diagnose turns the error of a call to a device into what the user should know: when the process
// has ended, how, and what it said at the end.
func (g *Group) diagnose(d *Device, err error) error {
	switch plugins.KindOf(err) {
	case plugins.KindDied:
		select {
		case <-d.Plugin.Exited():
			return d.named(d.Plugin.Death())
		case <-time.After(lastWords):
			return d.named(err) // it closed the connection, and lives
		}
	case plugins.KindCanceled:
		return g.canceled(err)
	}
	return d.Plugin.WithWalls(d.named(err), err.Error())
}

// canceled is the end of the run's context, when it ends now. A deadline travels with
// the calls, and the device's clock may ring a moment before ours.
func (g *Group) canceled(err error) error {
	select {
	case <-g.ctx.Done():
		return context.Cause(g.ctx)
	case <-time.After(lastWords):
		return err // the host has not asked for it
	}
}
