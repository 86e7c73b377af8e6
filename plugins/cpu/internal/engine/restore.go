package engine

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
)

// Restore goes on from the state and the active set that an iteration of an earlier session has left, or those of other
// devices together with this session's. All else an iteration makes anew, or, the accumulators, finds empty; but of
// intervals, where they are of the destinations that are still there, and of sums that several devices settle: what has
// come to a vertex waits there until it may send.
func (p *Program) Restore(ctx context.Context, it plugins.Iteration) error {
	p.Progress.Iteration, p.prepared, p.filled = it.Number, false, false
	waiting := p.Mode.Settling && p.Frontier.Share != nil && p.Code.Threshold != nil
	p.emptied, p.adding = p.emptied && (p.adding || waiting), p.Mode.Intervals
	p.Progress.Set(it.Active, it.Change)
	if p.stepper != nil {
		return p.stepper.Restore(ctx, it)
	}
	return nil
}
