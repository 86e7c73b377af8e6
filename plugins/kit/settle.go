package kit

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
)

// Settler is a Program that obeys plugins.Settle: the extension that a task asks for by
// Task.Settle. Compile refuses a program that the device cannot settle.
type Settler interface {
	// Settle lets the active vertices of a set send along the chunks, which hold all their
	// edges, and those of the set who are changed by that, and so on: for so many rounds (0: as
	// many as it takes), or until none of the set is active.
	Settle(ctx context.Context, chunks []*Chunk, set []uint64, rounds int) (edges uint64, err error)
}

// NearestSettler is a Settler that obeys plugins.Settle in the order of values: the extension that a task asks for by
// Task.Nearest, if Compiled.Plan says Nearest.
type NearestSettler interface {
	Settler
	// SettleNearest lets the active vertices of a set send along the resident chunks, which hold all their edges, and
	// those of the set who are changed by that, and so on, always one with the best value, until none of the set is
	// active.
	SettleNearest(ctx context.Context, set []uint64) (edges uint64, err error)
}

// settle brings the set that a command names to local convergence.
func (s *session) settle(ctx context.Context, c plugins.Command) (plugins.Event, error) {
	set, err := OpenBitmap(s.job.Arena, c.At, s.vertices())
	if err != nil {
		return plugins.Event{}, err
	}
	var edges uint64
	if s.compiled.Plan.Nearest {
		edges, err = s.compiled.Program.(NearestSettler).SettleNearest(ctx, set)
	} else {
		edges, err = s.compiled.Program.(Settler).Settle(ctx, s.inOrder(), set, int(c.Rounds))
	}
	return plugins.Event{Iteration: s.settled(), Edges: edges}, err
}

// settled reports a Settle, or a Deliver between two of them: it has converged when no vertex is active.
func (s *session) settled() *plugins.Iteration {
	it := s.compiled.Program.Iteration()
	it.Converged = it.Active == 0
	return it
}
