package kit

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit/bitmap"
)

// Restorer is a Program that obeys plugins.Restore: the extension that a task asks for by
// Task.Restorable.
type Restorer interface {
	// Restore goes on from the state columns and the active set as an iteration of another
	// session has left them. CheckRestore has agreed to it. Accumulators are empty then.
	Restore(ctx context.Context, it plugins.Iteration) error
}

// CheckRestore refuses an iteration that the program does not have, or that is not what
// the active set says. A task that settles counts rounds of its own.
func CheckRestore(p *algorithms.Program, settling bool, n int, active []uint64, it plugins.Iteration) error {
	bound, count := p.Bound(uint64(n)), bitmap.Count(active)
	switch {
	case it.Number < 0 || it.Number > bound && !settling:
		return plugins.Errorf(plugins.KindInvalid, "Restore of iteration %d; the program has %d", it.Number, bound)
	case count != it.Active || n%64 != 0 && active[len(active)-1]>>(n%64) != 0:
		return plugins.Errorf(plugins.KindInvalid, "Restore of %d active vertices of %d; the active set has %d", it.Active, n,
			count)
	}
	return nil
}

func (s *Session) restore(ctx context.Context, it plugins.Iteration) (plugins.Event, error) {
	active, err := OpenBitmap(s.job.Arena, s.task.Layout.Active, s.vertices())
	if err == nil {
		err = CheckRestore(s.task.Program, s.task.Settle, s.vertices(), active, it)
	}
	if err == nil {
		err = s.compiled.Program.(Restorer).Restore(ctx, it)
	}
	s.order.Started = err == nil
	return s.reported(err)
}
