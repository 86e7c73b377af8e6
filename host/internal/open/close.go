package open

import (
	"context"

	"github.com/penstock-db/penstock/host/internal/plan"
)

// Streams are those to the devices.
type Streams interface {
	Waiting() bool // a device owes an answer
	Wait()         // until none listens any more
}

// Close ends what the run has started, or leaves it to the pool. A run that has failed
// kills its plugins. Plan and streams are nil if the run did not come so far; fail ends the run's context.
func (o *Opened) Close(fail context.CancelCauseFunc, p *plan.Plan, streams Streams) {
	o.letLookedGo()
	failed := o.ctx.Err() != nil || streams == nil || streams.Waiting()
	if o.Group == nil {
		fail(nil)
		return
	}
	if !failed {
		o.Group.Spare()
	}
	fail(nil)
	keep := !failed && o.Group.CloseSessions() && o.lasting && p.Fit.Resident && !o.Device.Cache.Hinders()
	if !keep && o.Device != nil && o.Device.Plugin != nil && o.Group.Devices[0].Plugin == nil {
		o.Device.Plugin.Kill() // it was warm, and the run has failed before it came to use it
	}
	switch {
	case keep:
	case failed:
		o.Group.Kill()
	default:
		o.Group.Close()
	}
	if streams != nil {
		streams.Wait()
	}
	switch {
	case keep:
		unforeseen := max(o.Rec.Meter.Total().Peak, p.Fit.Used) - p.Fit.Used // and may hold on to as well
		o.Device.Bytes = p.Fit.Arena + o.Device.Cache.SpareBytes(p.Chunks) + p.Kernel.Kept + unforeseen
		o.Pool.Keep(o.Device)
	case o.Device != nil:
		o.Device.Cache.Close()
	}
}
