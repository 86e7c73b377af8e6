package network

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
)

// Streamed is passes that are computed piece by piece: rows of an interval and edges of a cell come by the copying
// queue to one of two slots, while the computing queue is at what lies in the other.
type Streamed struct {
	*Task

	grid   *plugins.Grid
	passes []*gridPass // of each pass; nil: it is over batches
	cell   *cell
	slots  [2]rowSlot
}

// rowSlot is a region of rows on the card.
type rowSlot struct {
	region *buffer
	busy   *driver.Event // when what reads it will have been done; nil: nothing does
}

// gridPass is a pass, and the piece that it is at.
type gridPass struct {
	stages     [2][]*stage // once, and each time
	parameters map[*dataflow.Value]*buffer
	last       unit // what roots need beside
	shown      []shown
	at         plugins.Piece
	rows       map[*dataflow.Value]grid.Rows // of the interval at hand, in the arena
	begun      bool                          // rows of the first wave of at have been computed
	ended      bool                          // and those of the last wave of the last interval of the last stage
}

// openGrid makes the passes that are computed piece by piece.
func (t *Task) openGrid() error {
	of := t.network.Grid
	if of.Shared {
		return unsupported("a network is computed by intervals on one card, not together with other devices")
	}
	most := [2]room{}
	for end := range most {
		for k := range of.Intervals(dataflow.End(end)) {
			most[end].vertices = max(most[end].vertices, of.Interval(dataflow.End(end), k).Count)
		}
		most[end].entries = max(of.Rows[0].Length, of.Rows[1].Length) / 8
	}
	g := &Streamed{Task: t, grid: of, cell: newCell(of, max(most[0].vertices, most[1].vertices), t.names)}
	t.streamed = g
	for i, at := range of.Rows {
		g.slots[i].region = kept(at.Length)
	}
	for _, pass := range t.network.Passes {
		if pass.Batched {
			g.passes = append(g.passes, nil)
			continue
		}
		p, err := g.newPass(pass, most)
		if err != nil {
			return err
		}
		g.passes = append(g.passes, p)
	}
	return nil
}

func (g *Streamed) newPass(pass plugins.NetworkPass, most [2]room) (*gridPass, error) {
	p := &gridPass{parameters: map[*dataflow.Value]*buffer{}}
	sparse := dataflow.Sparse(dataflow.Order(g.network.Values, pass.Roots...), func(v *dataflow.Value) bool {
		return slices.ContainsFunc(g.network.Inputs, func(in plugins.Tensor) bool {
			return in.Name == v.Name && in.Offsets != (arena.Range{})
		})
	})
	schedule := dataflow.NewSchedule(g.network.Values, pass.Roots...)
	for k, stages := range [][]dataflow.Stage{schedule.Once, schedule.Epoch} {
		for _, each := range grid.Stages(stages) {
			s, err := newStage(&each, g.graph, g.cell, most[each.End], sparse, p.parameters)
			if err != nil {
				return nil, err
			}
			p.stages[k] = append(p.stages[k], s)
		}
	}
	c := &compiler{graph: g.graph, known: p.parameters, written: map[step][]*code{}}
	for _, root := range pass.Roots {
		if root.Place != dataflow.Parameters {
			continue
		}
		at, err := c.matrix(root)
		if err != nil {
			return nil, err
		}
		p.shown = append(p.shown, shown{at, c.heightOf(root), uint64(root.Width)})
	}
	p.last = unit{c.steps[1], newText(c.codes)}
	return p, nil
}

// buffers are what is kept from piece to piece.
func (g *Streamed) buffers() []*buffer {
	all := g.cell.buffers()
	for i := range g.slots {
		all = append(all, g.slots[i].region)
	}
	for _, p := range g.passes {
		if p == nil {
			continue
		}
		for _, at := range p.parameters {
			all = append(all, at)
		}
		all = append(all, p.last.text.at)
	}
	return all
}

// layOut gives stages their places from base on, and returns where the last ends: one at a time is computed.
func (g *Streamed) layOut(base uint64) (end uint64) {
	end = base
	for _, p := range g.passes {
		if p == nil {
			continue
		}
		for _, stages := range p.stages {
			for _, each := range stages {
				end = max(end, each.layOut(base))
			}
		}
	}
	return end
}

// find is the stage of a piece.
func (g *Streamed) find(number int, piece plugins.Piece) (*gridPass, *stage, error) {
	if number >= len(g.passes) || g.passes[number] == nil {
		return nil, nil, plugins.Errorf(plugins.KindInvalid, "pass %d of %d", number, len(g.passes))
	}
	p, k := g.passes[number], 1
	if piece.Once {
		k = 0
	}
	if int(piece.Stage) >= len(p.stages[k]) {
		return nil, nil, plugins.Errorf(plugins.KindInvalid, "stage %d of %d", piece.Stage, len(p.stages[k]))
	}
	of := p.stages[k][piece.Stage]
	if int(piece.Interval) >= g.grid.Intervals(of.End) || int(piece.Wave) >= len(of.waves) || piece.Slot > 1 {
		return nil, nil, plugins.Errorf(plugins.KindInvalid, "there is no interval %d, wave %d, or no slot %d",
			piece.Interval, piece.Wave, piece.Slot)
	}
	return p, of, nil
}

// follows says whether a piece is of the next wave of the interval that the pass is at.
func (p *gridPass) follows(piece plugins.Piece) bool {
	return p.begun && piece.Once == p.at.Once && piece.Stage == p.at.Stage && piece.Interval == p.at.Interval &&
		piece.Wave == p.at.Wave+1
}

// Rows computes the rows of a wave for an interval. With the first wave the interval begins.
func (g *Streamed) Rows(ctx context.Context, number int, piece plugins.Piece, dropout dataflow.Dropout) (*stream.Work,
	error) {
	p, s, err := g.find(number, piece)
	if err != nil {
		return nil, err
	}
	if piece.Wave == 0 {
		err = g.openInterval(ctx, p, s, piece)
	} else if !p.follows(piece) {
		err = plugins.Errorf(plugins.KindInvalid, "wave %d of an interval that is not at that wave", piece.Wave)
	}
	if err != nil {
		return nil, err
	}
	piece.Slot = p.slotOf(piece)
	p.at, p.begun, p.ended = piece, true, false
	units := []*unit{&s.waves[piece.Wave].rows}
	if int(piece.Wave) < len(s.waves)-1 {
		return g.compute(ctx, number, s, piece, dropout, units)
	}
	if int(piece.Interval) == g.network.Grid.Intervals(s.End)-1 {
		units = append(units, &s.small)
		p.ended = !piece.Once && int(piece.Stage) == len(p.stages[1])-1
	}
	w, err := g.compute(ctx, number, s, piece, dropout, units)
	if err != nil {
		return nil, err
	}
	slot := &g.slots[piece.Slot]
	slot.busy = w.Done
	return g.leaveRows(ctx, w, s, slot, p.rows), nil
}

// slotOf is the slot of the interval: that of its first wave.
func (p *gridPass) slotOf(piece plugins.Piece) uint32 {
	if piece.Wave == 0 {
		return piece.Slot
	}
	return p.at.Slot
}

// leaveRows has what a stage stores copied to the arena once it has been computed. Meanwhile the card goes on.
func (g *Streamed) leaveRows(ctx context.Context, w *stream.Work, s *stage, slot *rowSlot,
	rows map[*dataflow.Value]grid.Rows) *stream.Work {
	at, done := map[*dataflow.Value]driver.Pointer{}, w.Done
	for v, b := range s.stored {
		at[v] = g.slab + driver.Pointer(b.at)
	}
	w.Finish = func(*plugins.Event) error {
		if slot.busy == done {
			slot.busy = nil
		}
		for v, from := range at {
			if err := g.streams.CopyOut(ctx, g.streams.Copying, bytesOf(rows[v].Numbers), from); err != nil {
				return err
			}
		}
		return nil
	}
	return w
}

// openInterval has what a stage reads of an interval come. With the first one sums begin, and with the first stage
// parameters come as they are now.
func (g *Streamed) openInterval(ctx context.Context, p *gridPass, s *stage, piece plugins.Piece) error {
	if piece.Interval == 0 {
		if err := g.beginStage(ctx, s, piece.Stage == 0); err != nil {
			return err
		}
	}
	of, slot := g.network.Grid.Interval(s.End, int(piece.Interval)), &g.slots[piece.Slot]
	region, err := g.job.Arena.Bytes(g.network.Grid.Rows[piece.Slot])
	if err != nil {
		return plugins.Errorf(plugins.KindInvalid, "a region of rows: %w", err)
	}
	are := map[*dataflow.Value]bool{}
	for v := range s.sparse {
		are[v] = true
	}
	if p.rows, err = s.PlaceRows(region, int(of.Count), are, nil); err != nil {
		return plugins.Errorf(plugins.KindInvalid, "rows of interval %d: %w", piece.Interval, err)
	}
	if slot.busy != nil {
		if err := g.streams.Copying.Wait(*slot.busy); err != nil {
			return err
		}
	}
	for v, b := range s.stored {
		b.at = slot.region.at + placeOf(region, p.rows[v].Numbers)
	}
	for v, b := range s.near {
		b.at = slot.region.at + placeOf(region, p.rows[v].Numbers)
		if err := g.bring(ctx, b, bytesOf(p.rows[v].Numbers)); err != nil {
			return err
		}
	}
	for v, in := range s.sparse {
		if err := g.bringSparse(ctx, in, slot, region, p.rows[v]); err != nil {
			return err
		}
	}
	return g.follow()
}

// bring copies to the card by the copying queue.
func (g *Streamed) bring(ctx context.Context, to *buffer, from []byte) error {
	return g.streams.CopyIn(ctx, g.streams.Copying, g.slab+driver.Pointer(to.at), from)
}

// follow has the computing queue wait for all that the copying queue has been given.
func (g *Streamed) follow() error {
	event, err := g.streams.Mark(g.streams.Copying)
	if err != nil {
		return err
	}
	defer g.streams.Recycle(event)
	return g.streams.Computing.Wait(*event)
}

// bringSparse has sparse rows come. What is made of them beside has no slots: it comes by the computing queue.
func (g *Streamed) bringSparse(ctx context.Context, in *input, slot *rowSlot, region []byte, rows grid.Rows) error {
	begin, err := in.begins(rows.Offsets, rows.Columns)
	if err != nil {
		return err
	}
	in.numbers.at = slot.region.at + placeOf(region, rows.Numbers)
	in.rows.begin.at = slot.region.at + placeOf(region, rows.Offsets)
	in.rows.others.at = slot.region.at + placeOf(region, rows.Columns)
	if err := g.bring(ctx, in.numbers, bytesOf(rows.Numbers)); err != nil {
		return err
	}
	if err := g.bring(ctx, in.rows.others, bytesOf(rows.Columns)); err != nil {
		return err
	}
	if err := in.rows.send(ctx, g.streams, g.slab, begin); err != nil || in.columns == nil {
		return err
	}
	return in.sendColumns(ctx, g.streams, g.slab, begin, rows.Columns)
}

// beginStage has sums begin, and no edges have come.
func (g *Streamed) beginStage(ctx context.Context, s *stage, first bool) error {
	on := g.streams.Computing
	if first {
		parameters, err := g.job.Arena.Bytes(g.network.Parameters)
		if err != nil {
			return plugins.Errorf(plugins.KindInvalid, "parameters: %w", err)
		}
		if err := g.streams.CopyIn(ctx, on, g.slab+driver.Pointer(g.parameters.at), parameters); err != nil {
			return err
		}
	}
	for _, b := range s.sums {
		if err := on.Fill32(g.slab+driver.Pointer(b.at), 0, b.bytes/4); err != nil {
			return err
		}
	}
	before := g.cell.before
	return on.Fill32(g.slab+driver.Pointer(before.at), 0, before.bytes/4)
}

// Cell adds up along the edges of a cell, for the wave after that of the last Rows.
func (g *Streamed) Cell(ctx context.Context, number int, piece plugins.Piece, dropout dataflow.Dropout) (*stream.Work,
	error) {
	p, s, err := g.find(number, piece)
	if err != nil {
		return nil, err
	}
	if !p.follows(piece) || !s.Gathers(int(piece.Wave)) {
		return nil, plugins.Errorf(plugins.KindInvalid, "a cell of wave %d for an interval that does not wait for it",
			piece.Wave)
	}
	wave, c := &s.waves[piece.Wave], g.cell
	if err := g.openCell(ctx, s, piece); err != nil {
		return nil, err
	}
	w, err := g.compute(ctx, number, s, piece, dropout, []*unit{&wave.cell})
	if err != nil {
		return nil, err
	}
	slot, done := &c.slots[piece.Slot], w.Done
	slot.busy = done
	w.Finish = func(e *plugins.Event) error {
		if slot.busy == done {
			slot.busy = nil
		}
		e.Edges = piece.Edges
		return nil
	}
	return w, nil
}

// openCell has the edges of a cell come, with rows of its sources.
func (g *Streamed) openCell(ctx context.Context, s *stage, piece plugins.Piece) error {
	region, err := g.job.Arena.Bytes(g.network.Grid.Cells[piece.Slot])
	if err != nil {
		return plugins.Errorf(plugins.KindInvalid, "a region of cells: %w", err)
	}
	of := g.network.Grid.Interval(s.End, int(piece.Interval))
	brought, err := grid.PlaceCell(region, grid.Size{Vertices: int(of.Count), Sources: int(piece.Sources),
		Edges: int(piece.Edges), Properties: len(g.names)}, s.Far[piece.Wave])
	if err == nil {
		err = brought.Check(g.job.Graph.Vertices)
	}
	if err != nil {
		return plugins.Errorf(plugins.KindInvalid, "a cell of interval %d: %w", piece.Interval, err)
	}
	if err := g.cell.bring(ctx, g.streams, g.slab, piece.Slot, region, &brought,
		s.waves[piece.Wave].far); err != nil {
		return err
	}
	return g.follow()
}

// compute puts units into the computing queue.
func (g *Streamed) compute(ctx context.Context, number int, s *stage, piece plugins.Piece, dropout dataflow.Dropout,
	units []*unit) (*stream.Work, error) {
	dropout.Off = !g.network.Passes[number].Drops
	of := g.network.Grid.Interval(s.End, int(piece.Interval))
	r := g.newRun(of.Count)
	r.of.First, r.of.Others = of.Base, r.at(g.cell.sources)
	return g.streams.Timed(g.streams.Computing, func() error { return g.launch(ctx, &r, dropout, units) })
}

func (g *Streamed) launch(ctx context.Context, r *run, dropout dataflow.Dropout, units []*unit) error {
	for _, u := range units {
		if err := u.text.send(ctx, g.streams, r, dropout); err != nil {
			return err
		}
		for _, step := range u.steps {
			if err := step.launch(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// newRun is a run over so many vertices.
func (t *Task) newRun(vertices uint64) run {
	return run{kernels: t.kernels, stream: t.streams.Computing, base: t.slab, library: t.library, vertices: vertices}
}

// leaveParameters ends a pass, all pieces of which have come: the parameters among its roots are left.
func (g *Streamed) leaveParameters(ctx context.Context, number int, dropout dataflow.Dropout) (*stream.Work, error) {
	if number >= len(g.passes) || g.passes[number] == nil {
		return nil, plugins.Errorf(plugins.KindInvalid, "pass %d of %d", number, len(g.passes))
	}
	p := g.passes[number]
	if !p.ended && len(p.stages[1]) > 0 {
		return nil, plugins.Errorf(plugins.KindInvalid, "pass %d: not all of its pieces have come", number)
	}
	dropout.Off = !g.network.Passes[number].Drops
	r := g.newRun(0)
	return g.streams.Timed(g.streams.Computing, func() error {
		if err := g.launch(ctx, &r, dropout, []*unit{&p.last}); err != nil {
			return err
		}
		return g.leave(ctx, g.network.Passes[number].At, p.shown, &r)
	})
}
