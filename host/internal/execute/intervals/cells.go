package intervals

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/host/internal/execute"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/plugins/arena"
)

// cells are the edges of a grid, renumbered as the session of a cell has its vertices, in a file without a name. Each
// cell is in pieces, which a slot has room for.
type cells struct {
	file   *os.File
	pieces map[place][]arena.Range // in the file
	size   uint64
}

// place names a cell by its intervals.
type place struct{ source, destination int }

func (c *cells) close() { c.file.Close() }

// cutter cuts stored chunks into cells. What chunks that follow each other have of a cell becomes one piece, as far as
// there is room.
type cutter struct {
	*execute.Env
	cells *cells
	buf   []byte // for a piece
	strip strip
	room  int // bytes of the lists of a piece, with what the device makes of them
}

// strip is what has been cut out of consecutive chunks for the cells of an interval of rows, and is not written yet.
type strip struct {
	number int        // of the interval of rows
	end    uint64     // of the last chunk's rows
	meta   chunk.Meta // of the last chunk
	pieces []piece    // of each interval of columns; nil: nothing has been cut out
	held   int        // bytes of copies of chunks that pieces refer to
}

// mostHeld is up to where copies of chunks wait for the next, so that less is in pieces.
const mostHeld = 4 << 20

// piece is lists that become one.
type piece struct {
	lists []cut.Selection
	size  int
}

// cutCells cuts every chunk of the plan, each once.
func cutCells(ctx context.Context, e *execute.Env) (*cells, error) {
	file, err := os.CreateTemp("", "penstock-cells-*") // mode 0600
	if err != nil {
		return nil, fmt.Errorf("cells: %w", err)
	}
	c := cutter{Env: e, cells: &cells{file: file, pieces: map[place][]arena.Range{}},
		buf: chunk.Aligned(int(e.Plan.Fit.Capacity)), room: int(e.Plan.Fit.Capacity - e.Plan.Sizes().PartRoom())}
	err = os.Remove(file.Name())
	for i := 0; err == nil && i < len(e.Plan.Chunks); i++ {
		err = c.cutChunk(ctx, i)
	}
	if err == nil {
		err = c.flush()
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return c.cells, nil
}

// cutChunk cuts a chunk: its columns are divided once, then the rows of each interval are taken. What lasts may be
// written together with lists of the next chunk.
func (c *cutter) cutChunk(ctx context.Context, i int) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	view, lasting, err := c.Supply.View(ctx, i)
	if err != nil {
		return err
	}
	began, before := time.Now(), c.cells.size
	c.Rec.Meter.Divided()
	if err := c.cutView(view); err != nil {
		return err
	}
	if !lasting {
		c.strip.held += c.Plan.Chunks[i].Size
	}
	if c.strip.held > mostHeld {
		err = c.flush()
	}
	c.Rec.Meter.Cut(int(c.cells.size-before), time.Since(began))
	c.Rec.Trace.Stage("cut", began, c.cells.size-before)
	return err
}

// cutView divides the columns of a chunk, and takes what each strip has of it.
func (c *cutter) cutView(view *chunk.Chunk) error {
	meta := view.Meta()
	if meta.Rows.Count == 0 || meta.Cols.Count == 0 {
		return nil
	}
	of, size := c.Plan.Intervals, c.Plan.Intervals.Vertices
	left := int(meta.Cols.Base / size)
	var cols []chunk.Interval
	for q := left; uint64(q)*size < meta.Cols.End(); q++ {
		cols = append(cols, of.Interval(q, c.Plan.Graph.Manifest().Vertices))
	}
	division := cut.Divide(view, cols)
	for i := int(meta.Rows.Base / size); uint64(i)*size < meta.Rows.End(); i++ {
		if err := c.goOn(i, meta); err != nil {
			return err
		}
		set, first := c.rowsOf(meta)
		for q := range cols {
			if division.Cells[q].Edges == 0 {
				continue
			}
			lists := division.Select(view, set, first, chunk.Places{}, q)
			for _, piece := range lists.Cut(c.room, c.edgeRoom()) {
				if err := c.add(left+q, piece); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// goOn begins a strip of an interval of rows, unless the chunk goes on with the last one.
func (c *cutter) goOn(number int, meta chunk.Meta) error {
	s := &c.strip
	if s.pieces == nil || s.number != number || s.meta.Direction != meta.Direction || s.end > meta.Rows.Base {
		if err := c.flush(); err != nil {
			return err
		}
		c.strip = strip{number: number, pieces: make([]piece, c.Plan.Intervals.Count)}
	}
	s.meta, s.end = meta, min(meta.Rows.End(), c.rows().End())
	return nil
}

// rows is the strip's interval.
func (c *cutter) rows() chunk.Interval {
	return c.Plan.Intervals.Interval(c.strip.number, c.Plan.Graph.Manifest().Vertices)
}

// rowsOf is the strip's rows of a chunk, as a set that begins with a vertex.
func (c *cutter) rowsOf(m chunk.Meta) (set []uint64, first uint64) {
	rows := c.rows()
	first = m.Rows.Base / 64 * 64
	set = make([]uint64, plan.BitmapBytes(m.Rows.End()-first)/8)
	for v := max(rows.Base, m.Rows.Base); v < min(rows.End(), m.Rows.End()); v++ {
		set[(v-first)/64] |= 1 << (v % 64)
	}
	return set, first
}

// edgeRoom is what an edge takes beside what a chunk has of it.
func (c *cutter) edgeRoom() int { return c.Plan.Sizes().ConvertedEdge }

// add has lists be written with those before them, unless that is too much.
func (c *cutter) add(q int, lists cut.Selection) error {
	size := lists.Bytes() + c.edgeRoom()*lists.Edges()
	if p := &c.strip.pieces[q]; p.size+size > c.room {
		if err := c.write(q); err != nil {
			return err
		}
	}
	p := &c.strip.pieces[q]
	p.lists, p.size = append(p.lists, lists), p.size+size
	return nil
}

// flush writes all that is left of a strip.
func (c *cutter) flush() error {
	c.strip.held = 0
	for q := range c.strip.pieces {
		if err := c.write(q); err != nil {
			return err
		}
	}
	return nil
}

// write writes a piece, if there is any, of the cell that the strip's rows and these columns are in. Where rows send,
// they are its sources.
func (c *cutter) write(q int) error {
	lists := c.strip.pieces[q].lists
	if len(lists) == 0 {
		return nil
	}
	c.strip.pieces[q] = piece{}
	joined, err := cut.Join(lists...)
	if err != nil {
		return err
	}
	at, size := place{c.strip.number, q}, c.Plan.Intervals.Vertices
	if c.Plan.Kernel.ActiveRows {
		joined.Renumber(c.rows(), 0, size)
	} else {
		at = place{q, c.strip.number}
		joined.Renumber(c.rows(), size, 0)
	}
	n, err := joined.EncodeTo(c.buf, 1)
	if err != nil {
		return err
	}
	if _, err := c.cells.file.WriteAt(c.buf[:n], int64(c.cells.size)); err != nil {
		return fmt.Errorf("cells: %w", err)
	}
	c.cells.pieces[at] = append(c.cells.pieces[at], arena.Range{Offset: c.cells.size, Length: uint64(n)})
	c.cells.size += uint64(n)
	return nil
}
