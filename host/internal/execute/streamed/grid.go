package streamed

import (
	"context"
	"iter"
	"slices"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins/arena"
)

// makeGrid makes the smallest grid whose cells the device has room for. Where chunks may be cut by columns, all chunks
// are looked at beforehand: of what lies in the store's files the first iteration then need not be read again; of
// anything else it is, once for two grids and then for four, eight … more. It takes 8 bytes a vertex, which are given
// back.
func (w *watch) makeGrid(ctx context.Context) (schedule.Grid, error) {
	p, room := w.Plan, w.Plan.Budget-w.Plan.Kernel.Fixed
	tight := p.Fit.Capacity <= p.Sizes().PartRoom()+arena.Align // no slot has room for a part: chunks are sent whole
	if !p.MayCut() || tight || p.Devices > 1 {                  // of several, the share of each is a column of the grid
		return schedule.Strips(w.state.Chunks, room), nil
	}
	arriving, err := w.arriving(ctx)
	if err != nil {
		return schedule.Grid{}, err
	}
	return schedule.NewGrid(w.state.Chunks, room, arriving, func(grids [][]chunk.Interval) ([][][]uint64, error) {
		return w.countCells(ctx, grids)
	})
}

// counted is what the cells of a chunk take, of each of several grids.
type counted struct {
	bytes [][]uint64
	err   error
}

// countCells is schedule.CountCells.
func (w *watch) countCells(ctx context.Context, grids [][]chunk.Interval) ([][][]uint64, error) {
	all := make([][][]uint64, len(grids))
	numbers := func(context.Context) iter.Seq[int] { return slices.Values(w.Plan.Numbers()) }
	count := func(ctx context.Context, number int) counted { return w.countChunk(ctx, number, grids) }
	for each := range supply.InOrder(ctx, numbers, count) {
		if each.err != nil {
			return nil, each.err
		}
		for i := range grids {
			all[i] = append(all[i], each.bytes[i])
		}
	}
	return all, ctx.Err()
}

func (w *watch) countChunk(ctx context.Context, number int, grids [][]chunk.Interval) (c counted) {
	view, _, err := w.Supply.View(ctx, number)
	if err != nil {
		return counted{err: err}
	}
	began, sizes := time.Now(), w.Plan.Sizes()
	for _, cols := range grids {
		var bytes []uint64
		for _, cell := range cut.Divide(view, cols).Cells {
			bytes = append(bytes, sizes.ListsCost(cell.Lists, cell.Edges))
		}
		c.bytes = append(c.bytes, bytes)
	}
	w.Rec.Meter.Cut(0, time.Since(began))
	w.Rec.Trace.Stage("count cells", began, uint64(w.Plan.Chunks[number].Size))
	return c
}

// arriving is how many edges of the chunks lead to each vertex as a column.
func (w *watch) arriving(ctx context.Context) ([]uint32, error) {
	arriving := make([]uint32, w.Plan.Graph.Manifest().Vertices)
	opposite := map[chunk.Direction]chunk.Direction{chunk.Out: chunk.In, chunk.In: chunk.Out}
	seen := map[chunk.Direction]bool{}
	for _, c := range w.Plan.Chunks {
		d := opposite[c.Info.Direction]
		if seen[d] {
			continue
		}
		seen[d] = true
		degrees := make([]uint32, len(arriving))
		if err := w.Snap.Degrees(ctx, d, degrees); err != nil {
			return nil, err
		}
		for v, n := range degrees {
			arriving[v] += n
		}
	}
	return arriving, nil
}
