package nearest

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
)

// together ends what several devices have begun, of which each has the edges that lead to its own vertices: they meet,
// so that each knows which vertices the others have reached, and go on, until none has sent along an edge. Then the
// wave stands still on all of them. It tells the edges, sent ones among them.
func (e *executor) together(ctx context.Context, sent uint64) (plugins.Event, error) {
	for edges := sent; ; edges += sent {
		it, _, err := e.Device.Meet(e.Progress.Final)
		if err != nil {
			return plugins.Event{}, err
		}
		if sent == 0 || it.Converged {
			return plugins.Event{Edges: edges, Iteration: &it}, nil
		}
		if e.underway, err = e.ring.Settle(); err != nil {
			return plugins.Event{}, err
		}
		event, err := e.await(ctx)
		if err != nil {
			return plugins.Event{}, err
		}
		sent = event.Edges
	}
}
