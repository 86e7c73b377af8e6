package host

import (
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/schedule"
)

// watchActive gets at what the schedule looks at: the active set, which is the arena's own,
// and the degrees of those who send, 4 bytes a vertex and direction.
func (r *run) watchActive() (err error) {
	r.views = map[int]*chunk.Chunk{}
	if r.active, err = r.arena.Uint64s(r.task.Layout.Active); err != nil || !r.kernel.ActiveRows || !r.policy.Needs.Demand && !r.req.Accounting {
		return err
	}
	r.degrees = map[chunk.Direction][]uint32{}
	for _, c := range r.chunks {
		if d := c.info.Direction; r.degrees[d] == nil {
			degrees := make([]uint32, r.snap.Manifest().Vertices)
			if err := r.snap.Degrees(r.ctx, d, degrees); err != nil {
				return err
			}
			r.degrees[d] = degrees
		}
	}
	return nil
}

// scheduleState is what does not change from one iteration to the next.
func (r *run) scheduleState() schedule.State {
	state := schedule.State{Active: r.active}
	for _, c := range r.chunks {
		state.Chunks = append(state.Chunks, schedule.Chunk{Senders: c.senders, Rows: c.info.Rows.Count, Edges: c.info.Edges, Bytes: uint64(c.size)})
	}
	return state
}

// look brings the state up to date. The device is not at work meanwhile.
func (r *run) look(state *schedule.State) {
	state.All = r.final.Active == r.snap.Manifest().Vertices
	state.Costs, state.Selects = r.costs(), r.fit.shelved > 0
	for i := range state.Chunks {
		c := &state.Chunks[i]
		if state.Selects {
			_, c.Shelved = r.warm.has(r.chunks[i].name())
		}
		c.Here, c.Seen, c.Stays, c.Sent = r.chunks[i].stays, r.views[i] != nil, i < r.fit.kept, r.chunks[i].sent
	}
	if r.degrees == nil {
		return
	}
	state.Before, state.Demand, state.Lists = state.Demand, make([]uint64, len(r.chunks)), make([]uint64, len(r.chunks))
	for i, c := range r.chunks {
		state.Lists[i] = state.Active.Count(c.info.Rows)
		state.Demand[i] = state.Active.Demand(c.info.Rows, r.degrees[c.info.Direction], r.final.Places)
	}
}
