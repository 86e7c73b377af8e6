package kit

import (
	"errors"
	"fmt"

	"github.com/penstock-db/penstock/plugins"
)

// CycleError is what a Procedure fails with where a cycle of the graph is in the way of a result. The session tells the
// host of the cycle, which names its vertices as the user does; the command has not failed.
type CycleError struct{ Cycle plugins.Cycle }

func (e *CycleError) Error() string {
	return fmt.Sprintf("there is a cycle of %d vertices", len(e.Cycle.Vertices))
}

// called is the last event of a procedure that ended so.
func called(edges uint64, err error) (plugins.Event, error) {
	var found *CycleError
	if errors.As(err, &found) {
		return plugins.Event{Edges: edges, Iteration: &plugins.Iteration{Converged: true, Cycle: &found.Cycle}}, nil
	}
	return plugins.Event{Edges: edges}, err
}
