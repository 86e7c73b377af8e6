package intervals

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/host/internal/execute"
	"github.com/penstock-db/penstock/host/internal/plan"
)

// cutter cuts stored chunks into cells, each chunk once. A cell has no more sources than the session has room for, but
// as many as have an edge to its destinations, wherever they are: a vertex without one takes no place. So a column has
// few cells where its destinations have few sources, and each piece of state that is sent is the source of an edge.
type cutter struct {
	*execute.Env
	cells *cells
	buf   []byte // for a piece
	room  int    // bytes of the lists of a piece, with what the device makes of them
	held  int    // bytes of copies of chunks, and of lists, that wait
}

// way is how chunks are cut: by what their rows do.
type way interface {
	// add takes what a chunk has. What lasts may be looked at until the end.
	add(view *chunk.Chunk) error
	// flush writes what waits.
	flush() error
}

// cutCells cuts every chunk of the plan.
func cutCells(ctx context.Context, e *execute.Env) (*cells, error) {
	cells, err := newCells(e.Plan.Intervals.Count, e.Plan.Intervals.Vertices, e.Plan.Fit.Scarce)
	if err != nil {
		return nil, err
	}
	c := &cutter{Env: e, cells: cells, buf: chunk.Aligned(int(e.Plan.Fit.Capacity)),
		room: int(e.Plan.Fit.Capacity - e.Plan.Sizes().PartRoom())}
	var by way = &receiving{cutter: c}
	if e.Plan.Kernel.ActiveRows {
		by = &sending{cutter: c}
	}
	for i := 0; err == nil && i < len(e.Plan.Chunks); i++ {
		err = c.cutChunk(ctx, i, by)
	}
	if err == nil {
		err = by.flush()
	}
	if err == nil {
		err = cells.finish(len(e.Plan.Intervals.SlotsOf(0, e.Plan.Fit)), e.Plan.Fit)
	}
	if err != nil {
		err = plan.ScratchFull(e.Plan, err, e.Plan.Intervals.Scratch+cells.size)
		cells.close()
		return nil, err
	}
	return cells, nil
}

// cutChunk cuts a chunk, by what its rows do.
func (c *cutter) cutChunk(ctx context.Context, i int, by way) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	view, lasting, err := c.Supply.View(ctx, i)
	if err != nil {
		return err
	}
	began, before := time.Now(), c.cells.size
	c.Rec.Meter.Divided()
	if m := view.Meta(); m.Rows.Count > 0 && m.Cols.Count > 0 {
		err = by.add(view)
	}
	if !lasting {
		c.held += c.Plan.Chunks[i].Size
	}
	if err == nil && uint64(c.held) > c.Plan.Fit.MostHeld() {
		err = by.flush()
	}
	c.Rec.Meter.Cut(int(c.cells.size-before), time.Since(began))
	c.Rec.Trace.Stage("cut", began, c.cells.size-before)
	return err
}

// interval is one by its number.
func (c *cutter) interval(i int) chunk.Interval {
	return c.Plan.Intervals.Interval(i, c.Plan.Graph.Manifest().Vertices)
}

// intervals are those that have vertices of an interval, and the number of the first.
func (c *cutter) intervals(of chunk.Interval) (all []chunk.Interval, first int) {
	size := c.Plan.Intervals.Vertices
	first = int(of.Base / size)
	for i := first; uint64(i)*size < of.End(); i++ {
		all = append(all, c.interval(i))
	}
	return all, first
}

// edgeRoom is what an edge takes beside what a chunk has of it.
func (c *cutter) edgeRoom() int { return c.Plan.Sizes().ConvertedEdge }

// session is an interval as it is numbered in a session.
func (c *cutter) session(at side) chunk.Interval {
	size := c.Plan.Intervals.Vertices
	return chunk.Interval{Base: uint64(at) * size, Count: size}
}

// piece is lists that become one, as far as there is room.
type piece struct {
	lists []cut.Selection
	size  int
	count int // of lists
}

// fits tells whether there is room for lists.
func (p *piece) fits(size, room int) bool { return p.size+size <= room }

func (p *piece) add(lists cut.Selection, size int) {
	p.lists, p.size, p.count = append(p.lists, lists), p.size+size, p.count+lists.Lists()
}

// size is what lists take of a piece's room.
func (c *cutter) size(lists cut.Selection) int { return lists.Bytes() + c.edgeRoom()*lists.Edges() }
