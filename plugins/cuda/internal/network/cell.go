package network

import (
	"context"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

// mostCellPieces is the most pieces that the long lists of a cell are cut into, each of as many bytes as its rows have.
// Where that is too few, lists count as long that have more edges.
const mostCellPieces = 4096

// cell is the edges at hand of a network whose edges come and go, in the slot that they lie in. There are two.
type cell struct {
	*edges
	most    uint64  // edges of a list that is not cut
	before  *buffer // how many edges each row has had
	sources *buffer
	slots   [2]cellSlot
}

// cellSlot is a region on the card, and what kernels need beside it.
type cellSlot struct {
	region               *buffer
	begin, pieces, longs *buffer
	busy                 *driver.Event // when what reads it will have been done; nil: nothing does
}

// newCell makes room for cells of intervals of so many vertices.
func newCell(g *plugins.Grid, rows uint64, names []string) *cell {
	most := uint64(0)
	for _, at := range g.Cells {
		most = max(most, min(mostCellPieces, at.Length/4/kernels.CutList))
	}
	c := &cell{before: kept(4 * rows), sources: kept(0), edges: &edges{lists: &lists{rows: rows, mostPieces: most,
		begin: kept(0), others: kept(0), pieces: kept(0), longs: kept(0)}, names: names, properties: kept(0)}}
	for range names {
		c.each = append(c.each, kept(0))
	}
	for i := range c.slots {
		c.slots[i] = cellSlot{region: kept(g.Cells[i].Length), begin: kept(8 * (rows + 1)), pieces: kept(8 * most),
			longs: kept(24 * most)}
	}
	return c
}

func (c *cell) buffers() []*buffer {
	all := []*buffer{c.before}
	for _, s := range c.slots {
		all = append(all, s.region, s.begin, s.pieces, s.longs)
	}
	return all
}

// onCard is the cell at hand as kernels know it.
func (c *cell) onCard(r *run) kernels.Cell {
	return kernels.Cell{Lists: c.lists.onCard(r.base), Most: c.most, Before: r.at(c.before), Vertices: r.of}
}

// placeOf is where a part of a region is in it.
func placeOf[T any](region []byte, part []T) uint64 {
	if len(part) == 0 {
		return 0
	}
	return uint64(uintptr(unsafe.Pointer(&part[0])) - uintptr(unsafe.Pointer(&region[0])))
}

// bring copies a cell to a slot, and has the codes of steps find it there, with the rows of far ends at these places.
func (c *cell) bring(ctx context.Context, s *stream.Streams, base driver.Pointer, number uint32, region []byte,
	brought *grid.Cell, far []*buffer) error {
	slot := &c.slots[number]
	if slot.busy != nil {
		if err := s.Copying.Wait(*slot.busy); err != nil {
			return err
		}
	}
	begin := make([]uint64, len(brought.Offsets))
	for v, at := range brought.Offsets {
		begin[v] = uint64(at)
	}
	c.begin.at, c.pieces.at, c.longs.at = slot.begin.at, slot.pieces.at, slot.longs.at
	c.most = longest(begin, c.mostPieces)
	if err := c.sendCut(ctx, s, s.Copying, base, begin, c.most); err != nil {
		return err
	}
	copyIn := func(to *buffer, at uint64, from []byte) error {
		to.at = slot.region.at + at
		return s.CopyIn(ctx, s.Copying, base+driver.Pointer(to.at), from)
	}
	if err := copyIn(c.others, placeOf(region, brought.Others), bytesOf(brought.Others)); err != nil {
		return err
	}
	if err := copyIn(c.sources, placeOf(region, brought.Sources), bytesOf(brought.Sources)); err != nil {
		return err
	}
	single := make([]float32, len(brought.Others))
	for k, of := range brought.Properties {
		for i, x := range of {
			single[i] = float32(x)
		}
		if err := copyIn(c.each[k], placeOf(region, of), bytesOf(single)); err != nil {
			return err
		}
	}
	for k, rows := range brought.Far {
		if err := copyIn(far[k], placeOf(region, rows), bytesOf(rows)); err != nil {
			return err
		}
	}
	return nil
}

// longest is how many entries lists have at most that are not cut, so that the others come to no more than so many
// pieces.
func longest(begin []uint64, pieces uint64) uint64 {
	for most := uint64(kernels.CutList); ; most *= 2 {
		count := uint64(0)
		for row := range begin[1:] {
			if size := begin[row+1] - begin[row]; size > most {
				count += piecesOf(size)
			}
		}
		if count <= pieces {
			return most
		}
	}
}

// piecesOf is how many pieces a list has, wherever its first one begins.
func piecesOf(size uint64) uint64 { return (size+kernels.CutList-1)/kernels.CutList + 1 }
