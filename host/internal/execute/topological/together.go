package topological

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/host/internal/execute/ring"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
)

// together is what several devices need to settle parts.
type together struct {
	begun schedule.Bitmap // the vertices that were active from the beginning
	among schedule.Bitmap // scratch: those that may send in a round
	round []uint32        // scratch (rounds)
}

// begin has each device know of its own vertices alone that they are active.
func (e *executor) begin(active schedule.Bitmap) (err error) {
	e.several = &together{begun: slices.Clone(active), among: make(schedule.Bitmap, len(active)),
		round: make([]uint32, e.Plan.Graph.Manifest().Vertices)}
	_, err = e.Device.Own(e.Progress.Final)
	return err
}

// sendTogether sends what comes next, and has it settle.
func (e *executor) sendTogether(ctx context.Context) (it plugins.Iteration, err error) {
	final, err := rounds(ctx, e.lists.Of, e.next.Vertices, e.next.Taken, e.Shares, e.several.round)
	if err != nil {
		return it, err
	}
	if err := e.ring.Send(ctx, e.next, new(ring.Part)); err != nil {
		return it, err
	}
	return e.settleTogether(ctx, final)
}

// settleTogether has several devices settle a part, round by round, and meanwhile puts together what comes then. Before
// each round they are told which vertices have all that comes to them.
//
//	device 1: vertices whose ways lead through its share ─▶ settle ─┐ final ─▶ device 2 ─▶ settle ─┐ …
//	device 2: those whose ways lead through its own ──────▶ settle ─┘ final ─▶ device 1 ─▶ settle ─┘
func (e *executor) settleTogether(ctx context.Context, final [][]uint64) (it plugins.Iteration, err error) {
	s := e.several
	clear(s.among)
	for r := 1; r < len(final); r++ {
		if err := e.Device.Tell(final[r-1], s.begun, e.Progress.Final); err != nil {
			return it, err
		}
		for _, v := range slices.Concat(final[r-1], final[r]) {
			s.among.Add(v)
		}
		answer, err := e.ring.SettleAmong(s.among)
		if err == nil && r == 1 {
			err = e.prepare(ctx)
		}
		if err == nil {
			_, err = ring.Await(ctx, answer)
		}
		if err != nil {
			return it, err
		}
	}
	if err := e.Device.Tell(final[len(final)-1], s.begun, e.Progress.Final); err != nil {
		return it, err
	}
	return e.Device.Own(e.Progress.Final)
}
