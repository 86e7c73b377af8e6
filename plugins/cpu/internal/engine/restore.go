package engine

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/bitmap"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers"
)

// Restore goes on from the state and the active set that an iteration of an earlier session
// has left, or those of other devices together with this session's. All else an iteration makes anew, or, the accumulators, finds empty.
func (p *Program) Restore(ctx context.Context, it plugins.Iteration) error {
	if err := canRestore(&p.Problem, it); err != nil {
		return err
	}
	p.started, p.Progress.Iteration, p.prepared, p.emptied = true, it.Number, false, false
	p.Progress.Set(it.Active, it.Change)
	if p.stepper != nil {
		return p.stepper.Restore(ctx)
	}
	return nil
}

func canRestore(p *solvers.Problem, it plugins.Iteration) error {
	active := bitmap.Count(p.Active)
	switch {
	case !p.Mode.Restorable:
		return plugins.Errorf(plugins.KindInvalid, "Restore needs a task that says Restorable")
	case it.Number < 0 || it.Number > p.Code.Spec.Bound(uint64(p.N)) && !p.Mode.Settling: // whose rounds are its own
		return plugins.Errorf(plugins.KindInvalid, "Restore of iteration %d; the program has %d", it.Number, p.Code.Spec.Bound(uint64(p.N)))
	case active != it.Active || p.N%64 != 0 && p.Active[len(p.Active)-1]>>(p.N%64) != 0:
		return plugins.Errorf(plugins.KindInvalid, "Restore of %d active vertices of %d; the active set has %d", it.Active, p.N, active)
	}
	return nil
}
