package streamed

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/execute/shipment"
	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/internal/schedule"
)

// watch keeps what a schedule sees of the run.
type watch struct {
	*shipment.Loader
	state   schedule.State
	profile *profile
	stays   []bool // chunks that are on the device already
	work    meter.Work
}

func newWatch(l *shipment.Loader) *watch {
	p := l.Plan
	monotone := p.Task.Program.Order == algorithms.Monotone
	state := schedule.State{Active: l.Active, Monotone: monotone, Room: p.Budget - p.Kernel.Fixed,
		Rereads: p.Fit.Scarce}
	if sizes := p.Sizes(); sizes.ConvertedEdge == 0 {
		state.Entry = sizes.Entry()
	}
	w := &watch{profile: &profile{}, Loader: l, state: state, stays: make([]bool, len(l.Units))}
	for i, u := range l.Units {
		w.state.Chunks = append(w.state.Chunks, schedule.Chunk{Senders: l.SendersOf(u), Rows: u.Rows.Count,
			Edges: u.Edges, Bytes: u.Bytes})
		w.stays[i] = p.Fit.Resident
		w.work.Bytes, w.work.Edges = w.work.Bytes+float64(u.Bytes), w.work.Edges+float64(u.Edges)
	}
	n := float64(max(1, len(l.Units)))
	w.work = meter.Work{Bytes: max(1, w.work.Bytes/n), Edges: w.work.Edges / n, Readers: supply.Readers,
		LinkBandwidth: p.Device.LinkBandwidth, Simulated: l.Rec.Throttle.Bandwidth, Page: l.Supply.PageBytes()}
	return w
}

// look brings the state up to date. The device is not at work meanwhile.
func (w *watch) look() {
	p, final, s := w.Plan, w.Progress.Final, &w.state
	s.All = final.Active == p.Graph.Manifest().Vertices
	s.Costs, s.Selects = w.Progress.Speeds.Costs(w.work), p.Fit.Placed > 0
	s.Costs.Byte = w.Progress.Rate()
	w.profile.tell(s)
	for i := range s.Chunks {
		c := &s.Chunks[i]
		if s.Selects {
			_, c.InArena = w.Supply.Cache.Has(p.Chunks[i].Name())
		}
		c.Here, c.Seen, c.Stays, c.Sent = w.stays[i], w.Viewed(i), i < p.Fit.Kept, w.Sent[i]
	}
	if w.Degrees == nil {
		return
	}
	w.prioritize()
	s.Before, s.Demand, s.Lists = s.Demand, make([]uint64, len(w.Units)), make([]uint64, len(w.Units))
	for i := range w.Units {
		rows, degrees := w.Lists(i)
		s.Lists[i], s.Demand[i] = s.Active.Wanted(rows, degrees, final.Places)
	}
}

// prioritize has the schedule see the active vertices that are near alone, and tells it what waits. The first
// half of the iterations that there may be is enough for that.
func (w *watch) prioritize() {
	p, s := w.Priority, &w.state
	if s.Active, s.Waiting = w.Active, 0; p == nil || len(w.Plan.Chunks) == 0 {
		return
	}
	p.Rest()
	degrees := w.Degrees[w.Plan.Chunks[0].Info.Direction]
	everyone := chunk.Interval{Count: uint64(len(degrees))}
	all := s.Active.Demand(everyone, degrees, chunk.Places{})
	if share := w.Plan.Schedule.Near(*s, all); share < 1 && w.Progress.Final.Number < w.Plan.Bound()/2 {
		s.Active, s.All = p.Choose(w.Active, degrees, share), false
		s.Waiting = all - s.Active.Demand(everyone, degrees, chunk.Places{})
	}
}

// describe tells the schedule which order of chunks leaves every result as it is, to the bit, and what its grid is.
func (w *watch) describe(ctx context.Context) (err error) {
	p, s := w.Plan, &w.state
	s.Gather = !p.Kernel.ActiveRows
	s.AnyOrder = p.AnyOrder() || s.Gather && len(p.Kernel.Directions) == 1
	if !p.Streaming.Grid {
		return nil
	}
	s.Slot = p.Fit.Capacity - min(p.Fit.Capacity, p.Sizes().PartRoom())
	s.Pipeline = schedule.Pipeline{Workers: supply.Readers, Slots: len(p.Fit.Slots)}
	if s.Grid, err = w.makeGrid(ctx); err == nil {
		w.Divisions = shipment.NewDivisions(s.Grid.Columns(), shipment.MostDivisions)
	}
	return err
}
