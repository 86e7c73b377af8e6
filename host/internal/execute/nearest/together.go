package nearest

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
)

// cautious is how many meetings of an iteration come soon. A ragged wave stands still after fewer, at the next list
// that is missing; a smooth one would go on by hundreds.
const cautious = 8

// together ends what several devices have begun, of which each has the edges that lead to its own vertices: they meet,
// so that each knows which vertices the others have reached, and go on, until none has sent along an edge. Then the
// wave stands still on all of them. It tells the edges, sent ones among them.
//
// Between two meetings a device may go further than the others would let it, and vertices then send again. Where the
// wave is ragged these are many, and their lists come again. So the devices are cautious first: they meet before any
// goes beyond the second of the vertices that all know to be active (search.bounds). A wave that goes on after that is
// not ragged, and its lists stay long enough.
func (e *executor) together(ctx context.Context, sent uint64) (plugins.Event, error) {
	for edges := sent; ; edges += sent {
		it, _, err := e.Device.Meet(e.Progress.Final)
		e.met++
		if err != nil {
			return plugins.Event{}, err
		}
		if sent == 0 || it.Converged {
			return plugins.Event{Edges: edges, Iteration: &it}, nil
		}
		if err := e.begin(); err != nil {
			return plugins.Event{}, err
		}
		event, err := e.await(ctx)
		if err != nil {
			return plugins.Event{}, err
		}
		sent = event.Edges
	}
}
