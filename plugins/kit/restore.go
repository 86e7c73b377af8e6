package kit

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/internal/check"
)

// Restorer is a Program that obeys plugins.Restore: the extension that a task asks for by
// Task.Restorable.
type Restorer interface {
	// Restore goes on from the state columns and the active set as an iteration of another
	// session has left them. It is one that the program may go on from. Accumulators are empty then.
	Restore(ctx context.Context, it plugins.Iteration) error
}

func (s *session) restore(ctx context.Context, it plugins.Iteration) (plugins.Event, error) {
	active, err := OpenBitmap(s.job.Arena, s.task.Layout.Active, s.vertices())
	if err == nil {
		err = check.Restore(s.task.Program, s.task.Settle, s.vertices(), active, it)
	}
	if err == nil {
		err = s.compiled.Program.(Restorer).Restore(ctx, it)
	}
	s.order.Started = err == nil
	return s.reported(err)
}
