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

// cutter cuts stored chunks into cells.
type cutter struct {
	*execute.Env
	cells *cells
	buf   []byte // for a piece
}

// cutCells cuts every chunk of the plan, each once.
func cutCells(ctx context.Context, e *execute.Env) (*cells, error) {
	file, err := os.CreateTemp("", "penstock-cells-*") // mode 0600
	if err != nil {
		return nil, fmt.Errorf("cells: %w", err)
	}
	c := cutter{Env: e, cells: &cells{file: file, pieces: map[place][]arena.Range{}},
		buf: chunk.Aligned(int(e.Plan.Fit.Capacity))}
	err = os.Remove(file.Name())
	for i := 0; err == nil && i < len(e.Plan.Chunks); i++ {
		err = c.cutChunk(ctx, i)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return c.cells, nil
}

// cutChunk cuts a chunk: its columns are divided once, then the rows of each interval are taken.
func (c cutter) cutChunk(ctx context.Context, i int) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	view, _, err := c.Supply.View(ctx, i)
	if err != nil {
		return err
	}
	began, before := time.Now(), c.cells.size
	rows, cols := c.clipped(view.Meta().Rows), c.clipped(view.Meta().Cols)
	division := cut.Divide(view, intervalsOf(cols))
	c.Rec.Meter.Divided()
	first := view.Meta().Rows.Base / 64 * 64
	set := make([]uint64, plan.BitmapBytes(view.Meta().Rows.End()-first)/8)
	for _, r := range rows {
		clear(set)
		for v := r.Base; v < r.End(); v++ {
			set[(v-first)/64] |= 1 << (v % 64)
		}
		for q, col := range cols {
			if division.Cells[q].Edges == 0 {
				continue
			}
			lists := division.Select(view, set, first, chunk.Places{}, q)
			for _, piece := range lists.Cut(int(c.Plan.Fit.Capacity-c.Plan.Sizes().PartRoom()), c.Plan.Sizes().ConvertedEdge) {
				if err := c.put(piece, r, col); err != nil {
					return err
				}
			}
		}
	}
	c.Rec.Meter.Cut(int(c.cells.size-before), time.Since(began))
	c.Rec.Trace.Stage("cut", began, c.cells.size-before)
	return nil
}

// run is vertices that follow each other within an interval.
type run struct {
	chunk.Interval
	number int    // of the interval
	local  uint64 // where the run begins there
}

func intervalsOf(runs []run) (all []chunk.Interval) {
	for _, r := range runs {
		all = append(all, r.Interval)
	}
	return all
}

// clipped is vertices that follow each other, cut where intervals begin.
func (c cutter) clipped(all chunk.Interval) (runs []run) {
	size := c.Plan.Intervals.Vertices
	for at := all.Base; at < all.End(); {
		number := at / size
		end := min(all.End(), (number+1)*size)
		runs = append(runs, run{chunk.Interval{Base: at, Count: end - at}, int(number), at - number*size})
		at = end
	}
	return runs
}

// put writes a piece of the cell that these rows and columns are in. Where rows send, they are its sources.
func (c cutter) put(lists cut.Selection, rows, cols run) error {
	joined, err := cut.Join(lists)
	if err != nil {
		return err
	}
	at, size := place{rows.number, cols.number}, c.Plan.Intervals.Vertices
	if c.Plan.Kernel.ActiveRows {
		joined.Renumber(rows.Interval, rows.local, size+cols.local)
	} else {
		at = place{cols.number, rows.number}
		joined.Renumber(rows.Interval, size+rows.local, cols.local)
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
