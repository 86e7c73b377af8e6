package cpu

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/bitmap"
)

// restore goes on from the state and the active set that an iteration of an earlier session
// has left, or those of other devices together with this session's. All else an iteration makes anew, or, the accumulators, finds empty.
func (p *program) restore(ctx context.Context, it plugins.Iteration) error {
	if err := p.canRestore(it); err != nil {
		return err
	}
	p.started, p.progress.iteration, p.prepared, p.emptied = true, it.Number, false, false
	p.progress.set(it.Active, it.Change)
	if p.stepper != nil {
		return p.stepper.restore(ctx)
	}
	return nil
}

func (p *program) canRestore(it plugins.Iteration) error {
	active := bitmap.Count(p.active)
	switch {
	case !p.mode.restorable:
		return plugins.Errorf(plugins.KindInvalid, "Restore needs a task that says Restorable")
	case it.Number < 0 || it.Number > p.code.spec.Bound(uint64(p.n)) && !p.mode.settling: // whose rounds are its own
		return plugins.Errorf(plugins.KindInvalid, "Restore of iteration %d; the program has %d", it.Number, p.code.spec.Bound(uint64(p.n)))
	case active != it.Active || p.n%64 != 0 && p.active[len(p.active)-1]>>(p.n%64) != 0:
		return plugins.Errorf(plugins.KindInvalid, "Restore of %d active vertices of %d; the active set has %d", it.Active, p.n, active)
	}
	return nil
}
