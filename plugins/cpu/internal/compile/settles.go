package compile

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/internal/shape"
)

// CanSettle tells why a program cannot be brought to local convergence: its messages must
// be such as may be applied in any order, or a part of them now and the rest later. What has arrived stays with a
// session of several devices, whose state is told to the others alone; restorable: another session is to go
// on from the state.
func (p *Code) CanSettle(restorable, shared bool) error {
	var reason string
	switch {
	case p.Spec.Order == algorithms.Synchronous:
		reason = "it needs every message of an iteration before the next"
	case p.Spec.Exactly || p.Spec.MaxIterations > 0 && p.Spec.Order == algorithms.Monotone:
		reason = "it is to take a certain number of iterations"
	case p.Spec.Activity == algorithms.Always:
		reason = "every vertex always sends"
	case len(p.Spec.Aggregates) > 0:
		reason = "it asks for sums over all vertices"
	case p.Spec.Order == algorithms.Monotone && !p.Improves():
		reason = "it has an Apply of its own"
	case p.Spec.Order == algorithms.Accumulative && !shape.Accumulates(p.Spec.Reduce):
		reason = "its accumulators forget what arrived before"
	case shared && shape.Accumulates(p.Spec.Reduce) && p.Threshold == nil:
		reason = "several devices would not know what a vertex has not sent along the edges of each"
	case restorable && !shared && shape.Accumulates(p.Spec.Reduce):
		reason = "what has arrived, and waits to be sent on, would be lost between two sessions"
	case p.Spec.Diverged != "" && !p.Steps.Known:
		reason = "it would not be noticed that " + p.Spec.Diverged
	default:
		return nil
	}
	return plugins.Errorf(plugins.KindUnsupported, "parts of program %q cannot settle by themselves: %s", p.Spec.Name,
		reason)
}
