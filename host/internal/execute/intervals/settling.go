package intervals

import (
	"bytes"
	"context"
	"slices"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// settling brings the columns of an owner to local convergence (Sabet et al., "Subway", EuroSys'20, section 4.3, over a
// grid), where messages may come in any order:
//
//  1. Edges among the vertices of an interval are a cell of their own, the last of its column (cells.among): its
//     destinations are its sources.
//  2. The state is one, written in place. Columns are done in strides, one of each device at a time, and written when
//     all of a stride are done. So a vertex that changes has sent to the columns of later strides by the end of the
//     iteration, and sends to its own and all others in the next, before it is written anew: to each once
//     (state.written).
//  3. When the other cells have come, and Apply has, the cell of a column's own edges comes as a whole, and the device
//     lets its vertices send along them until none of them is active. Then they need not send along them in the next
//     iteration. What is left is who has changed, by comparison.
//  4. Own edges that do not fit the slots as a whole come like those of any other cell, once an iteration. So do all in
//     the first iteration, for nobody has sent then.
//  5. Sums that come round no cycle settle as well, each vertex of an interval once, in topological order. Such a column
//     begins anew: it comes with all of its sources, if any of them has changed, and else rests. Own edges that settle
//     are not sent otherwise, nor in the first iteration. Intervals that lie one behind the other along all edges take
//     two iterations, whatever the depth of the graph. If nobody has looked for a cycle beforehand (gaining), the device
//     refuses one within an interval, and the run starts again iteration by iteration; one from interval to interval
//     shows as it does there.
type settling struct {
	first  uint64      // where in the arena all slots begin, which follow each other
	at     arena.Range // for the set of a Settle
	within []uint64    // that set
}

// newSettling is that of a device, by its number.
func newSettling(g *grid, device int, slots []plan.Slot) (s settling, err error) {
	if !g.Plan.Intervals.Settles || len(slots) == 0 {
		return s, nil
	}
	s.first, s.at = slots[len(slots)-1].At.Offset, g.Plan.Intervals.Sets[device]
	s.within, err = g.Arena().Uint64s(s.at)
	return s, err
}

// sendsAmong tells whether vertices of a column's interval that were active in the last state have not sent along their
// own edges.
func (g *grid) sendsAmong(j int) bool {
	own, ok := g.cells.own(j)
	return ok && (g.fresh && !g.always || !own.fits)
}

// mayCome tells whether a cell of a column that does not rest may have to be sent.
func (g *grid) mayCome(j int, c cell) bool { return (!c.among || g.sendsAmong(j)) && g.maySend(c) }

// mayChange tells whether a cell may bring a column's sums something new: where some of its sources lie a vertex has
// changed. What own vertices have in the beginning they have not sent among themselves.
func (g *grid) mayChange(j int, c cell) bool {
	return (!c.among || g.fresh || g.sendsAmong(j)) &&
		slices.ContainsFunc(c.sources, func(l list) bool { return g.someActive(l.span()) })
}

// rests tells whether a column's sums stay as they are.
func (o *owner) rests(j int) (bool, error) {
	if !o.entire() {
		return false, nil
	}
	for _, c := range o.cells.columns[j] {
		if !o.mayChange(j, c) {
			continue
		}
		if changes, err := o.changes(c); changes || err != nil {
			return false, err
		}
	}
	return true, nil
}

// chooseAmong is how many vertices of a column's interval have to send along their own edges.
func (g *grid) chooseAmong(j int) (active int) {
	if !g.sendsAmong(j) {
		return 0
	}
	i := g.interval(j)
	for v := i.Base; v < i.End(); v++ {
		if g.sends(v) {
			active++
		}
	}
	return active
}

// settle has the vertices of a column's interval that have changed send along their own edges, and so on, until none of
// them is active.
func (o *owner) settle(ctx context.Context, j int) error {
	own, ok := o.cells.own(j)
	if !ok || !own.fits || !o.always && count(o.set[o.each/64:]) == 0 {
		return nil
	}
	at := o.first
	for k, piece := range own.pieces {
		if err := o.upload(ctx, piece, plan.Slot{At: arena.Range{Offset: at}, Part: uint32(k)}); err != nil {
			return err
		}
		at += plan.Aligned(piece.Length)
	}
	clear(o.within)
	for v := range o.interval(j).Count {
		o.within[(o.each+v)/64] |= 1 << (v % 64)
	}
	round := o.Progress.Final.Number + 1 // of Apply
	err := o.tell(plugins.Command{Op: plugins.Settle, At: o.at, More: true}, func(event plugins.Event) {
		o.counts.Rounds += event.Iteration.Number - round
	})
	o.counts.Settled++
	for k := range own.pieces {
		last := k == len(own.pieces)-1
		c := plugins.Command{Op: plugins.Evict, Chunk: uint32(k), More: !last}
		if err == nil && last {
			err = o.begun(c)
		} else if err == nil {
			err = o.tell(c, nil)
		}
	}
	if err != nil {
		return err
	}
	return o.wait(ctx)
}

// changed has those vertices of an interval be active that the session has changed.
func (o *owner) changed(i chunk.Interval, active []uint64) {
	c := o.columns[o.inputs]
	before, after := c.now[i.Base*c.width:], o.cell[o.inputs][o.each*c.width:]
	clear(active)
	for v := range i.Count {
		at := v * c.width
		if !bytes.Equal(before[at:at+c.width], after[at:at+c.width]) {
			active[v/64] |= 1 << (v % 64)
		}
	}
}
