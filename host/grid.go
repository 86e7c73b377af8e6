package host

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/schedule"
)

// describeGrid tells a schedule that cuts chunks by columns what it needs for that: 4 bytes a
// vertex, and which order leaves every result as it is, to the bit. Of a row that pulls a sum, the parts
// would be added up in another order, so that such chunks are not cut; pushed, each vertex
// still adds up its messages in the order of their senders.
func (r *run) describeGrid(state *schedule.State) error {
	if !r.policy.Grids() {
		return nil
	}
	reduce := r.task.Program.Reduce
	exact := reduce != algorithms.Sum && reduce != algorithms.Prod
	state.Gather = !r.kernel.ActiveRows
	state.AnyOrder = exact || state.Gather && len(r.kernel.Directions) == 1
	state.Room = r.budget - r.kernel.Fixed
	state.Slot = r.fit.capacity - min(r.fit.capacity, r.partRoom())
	state.Pipeline = schedule.Pipeline{Workers: readers, Slots: len(r.fit.slots)}
	if exact || !state.Gather {
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
