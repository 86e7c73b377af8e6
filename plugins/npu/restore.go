package npu

import (
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit/bitmap"
)

// restore goes on from the state and the active set that an iteration of an earlier session
// has left, or another session of the same program. Accumulators it finds empty.
func (p *program) restore(it plugins.Iteration) error {
	active := bitmap.Count(p.active)
	switch {
	case !p.restorable:
		return plugins.Errorf(plugins.KindInvalid, "Restore needs a task that says Restorable")
	case it.Number < 0 || it.Number > p.spec.Bound(uint64(p.n)) && !p.settling: // whose rounds are its own
		return plugins.Errorf(plugins.KindInvalid, "Restore of iteration %d; the program has %d", it.Number, p.spec.Bound(uint64(p.n)))
	case active != it.Active || p.n%64 != 0 && p.active[len(p.active)-1]>>(p.n%64) != 0:
		return plugins.Errorf(plugins.KindInvalid, "Restore of %d active vertices of %d; the active set has %d", it.Active, p.n, active)
	}
	p.started, p.iteration, p.rounds = true, it.Number, it.Number
	clear(p.sent)
	p.lanes[0].change = it.Change
	p.lanes[0].forget()
	return nil
}
