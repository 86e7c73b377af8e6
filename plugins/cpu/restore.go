package cpu

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit/bitmap"
)

// restore goes on from the state and the active set that an iteration of an earlier session
// has left, or those of other devices together with this session's. All else an iteration makes anew, or, the accumulators, finds empty.
func (p *program) restore(ctx context.Context, it plugins.Iteration) error {
	if err := p.canRestore(it); err != nil {
		return err
	}
	p.started, p.iteration, p.begun, p.emptied = true, it.Number, false, false
	p.send(it.Active, it.Change)
	if p.stepper != nil {
		return p.stepper.restore(ctx)
	}
	return nil
}

func (p *program) canRestore(it plugins.Iteration) error {
	active := bitmap.Count(p.active)
	switch {
	case !p.restorable:
		return plugins.Errorf(plugins.KindInvalid, "Restore needs a task that says Restorable")
	case it.Number < 0 || it.Number > p.spec.Bound(uint64(p.n)) && !p.settling: // whose rounds are its own
		return plugins.Errorf(plugins.KindInvalid, "Restore of iteration %d; the program has %d", it.Number, p.spec.Bound(uint64(p.n)))
	case active != it.Active || p.n%64 != 0 && p.active[len(p.active)-1]>>(p.n%64) != 0:
		return plugins.Errorf(plugins.KindInvalid, "Restore of %d active vertices of %d; the active set has %d", it.Active, p.n, active)
	}
	return nil
}

// restore has nothing to go on from but better values: what joins them is not kept.
func (c *components) restore(ctx context.Context) error { return c.begin(ctx) }

// restore finds out from the state who was reached, and from the active set whether the
// level is one that goes bottom up: who is active then was not reached. The frontier was
// reached last, and holds the worst value of all. Who holds that for longer is no harm:
// whomever it can reach it has reached.
func (f *streamedFlood[T]) restore(context.Context) error {
	markUnlike(f.visited, f.p.state[0], identity(f.p.spec.Reduce, f.p.accType))
	copy(f.before, f.visited)
	if f.up = f.asksOthers(); f.up {
		f.reachedLast()
	} else {
		copy(f.frontier, f.p.active)
	}
	f.aim()
	return nil
}

// asksOthers tells whether those are active who were not reached.
func (f *streamedFlood[T]) asksOthers() bool {
	any := uint64(0)
	for i, word := range f.p.active {
		if any |= word; word&f.visited[i] != 0 {
			return false
		}
	}
	return any != 0
}

// reachedLast makes those with the worst value the frontier.
func (f *streamedFlood[T]) reachedLast() {
	clear(f.frontier)
	worst := int64(math.MinInt64)
	for v := range bitmap.Members(f.visited) {
		worst = max(worst, f.key(v))
	}
	for v := range bitmap.Members(f.visited) {
		if f.key(v) == worst {
			f.frontier[v/64] |= 1 << (v % 64)
		}
	}
}
