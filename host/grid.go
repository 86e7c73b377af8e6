package host

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/schedule"
)

// mayCut tells whether chunks can be cut in any way without changing a result by a bit. Of
// rows that pull sums, parts would be added up in another order; pushed, each vertex still
// adds up its messages in the order of their senders.
func (r *run) mayCut() bool { return r.exact() || r.kernel.ActiveRows }

// exact tells whether messages may come in any order.
func (r *run) exact() bool {
	reduce := r.task.Program.Reduce
	return reduce != algorithms.Sum && reduce != algorithms.Prod
}

// describeGrid tells a schedule that cuts chunks by columns what it needs for that: 4 bytes a
// vertex, and which order leaves every result as it is, to the bit.
func (r *run) describeGrid(state *schedule.State) error {
	if !r.policy.Needs.Grid {
		return nil
	}
	state.Gather = !r.kernel.ActiveRows
	state.AnyOrder = r.exact() || state.Gather && len(r.kernel.Directions) == 1
	state.Room = r.budget - r.kernel.Fixed
	state.Slot = r.fit.capacity - min(r.fit.capacity, r.partRoom())
	state.Pipeline = schedule.Pipeline{Workers: readers, Slots: len(r.fit.slots)}
	if r.mayCut() && len(r.devices) == 1 { // of several, the share of each is a column of the grid
		return r.countArriving(state)
	}
	return nil
}

// countArriving counts how many edges of the chunks lead to each vertex as a column.
func (r *run) countArriving(state *schedule.State) error {
	state.Arriving = make([]uint32, r.snap.Manifest().Vertices)
	opposite := map[chunk.Direction]chunk.Direction{chunk.Out: chunk.In, chunk.In: chunk.Out}
	seen := map[chunk.Direction]bool{}
	for _, c := range r.chunks {
		d := opposite[c.info.Direction]
		if seen[d] {
			continue
		}
		seen[d] = true
		degrees := make([]uint32, len(state.Arriving))
		if err := r.snap.Degrees(r.ctx, d, degrees); err != nil {
			return err
		}
		for v, n := range degrees {
			state.Arriving[v] += n
		}
	}
	return nil
}
