package plan

import "fmt"

// TilesOfChunk is how many tiles are as large as a chunk, as Scaph's authors have it.
const TilesOfChunk = 32

// leastTiles: one is filled while another is on its way.
const leastTiles = 2

// LongestList is the vertex with the most edges in the directions that a plan wants.
type LongestList struct {
	Vertex string // as its user calls it
	Edges  uint64
}

// placeQueue makes room for a queue of chunks of high value: a slot for a chunk, a chunk's worth of tiles,
// and more slots, as far as the budget goes. The error is *unsettled.
func (p *Plan) placeQueue(t Terms) error {
	f := &p.Fit
	below := Downward{t.Arena.Columns}
	f.Set = below.Place(wholePages(p.setBytes()))
	f.Set.Length = p.setBytes()
	if err := t.sizeSlots(p, p.Budget-p.Kernel.Fixed-p.setBytes()); err != nil {
		return err
	}
	slot, tile := SlotBytes(f.Capacity), SlotBytes(f.Tile)
	room := p.Budget - p.Kernel.Fixed - p.setBytes() - f.Capacity
	tiles := min(f.mostTiles(), room/f.Tile, (below.At-slot)/tile)
	for i := range tiles {
		f.Tiles = append(f.Tiles, Slot{At: below.Place(tile), Part: uint32(uint64(len(p.Chunks)) + i)})
	}
	more := min(f.mostUnits(p.Chunks)-1, (room-tiles*f.Tile)/f.Capacity, below.At/slot-1)
	for range 1 + more {
		f.Slots = append(f.Slots, Slot{At: below.Place(slot)})
	}
	f.Used += p.setBytes() + tiles*f.Tile + (1+more)*f.Capacity
	f.Arena += t.Arena.Columns - below.At
	return nil
}

// sizeSlots says how large a plan's slots and tiles are. Chunks come whole if one fits beside a tile and has all edges
// of its vertices. Else they are cut by rows, so that there are several slots, but none is so small that some vertex
// has more edges. The error is *unsettled.
func (t Terms) sizeSlots(p *Plan, room uint64) error {
	f, directions := &p.Fit, len(p.Kernel.Directions)
	f.Headers = uint64(directions) * Aligned(p.Sizes().PartRoom())
	f.Capacity, f.Tile = f.Largest, f.tileOf(f.Largest)
	whole := f.Largest + f.Tile
	if directions == 1 && whole <= room {
		return nil
	}
	f.Cut = true
	longest, err := t.Longest(p.Kernel.Directions)
	if err != nil {
		return err
	}
	least := Aligned(p.Sizes().ListsCost(directions, int(longest.Edges)) + f.Headers)
	f.Capacity = Aligned(max(least, min(f.Largest, max(room/(maxSlots+1), leastSlot))))
	if f.Tile = f.tileOf(f.Capacity); f.Capacity+f.Tile > room {
		f.Capacity, f.Tile = least, f.tileOf(least)
	}
	need := f.Capacity + f.Tile
	if need <= room {
		return nil
	}
	if directions == 1 {
		need = min(need, whole) // a chunk of one list may be smaller than what is put together
	}
	need += p.Kernel.Fixed + p.setBytes()
	return &unsettled{need: need, reason: fmt.Sprintf(
		"all %d edges of vertex %s must be on the device at once, which takes a budget of %d bytes",
		longest.Edges, longest.Vertex, need)}
}

// tileOf is how large tiles are beside slots of some size.
func (f Fit) tileOf(capacity uint64) uint64 {
	return Aligned(max(capacity/TilesOfChunk, f.Headers) + f.Headers)
}

// mostTiles is a slot's worth of tiles. Those of small slots are mostly headers, and larger than a part of the slot.
func (f Fit) mostTiles() uint64 {
	if f.Cut {
		return min(TilesOfChunk, max(leastTiles, f.Capacity/f.Tile))
	}
	return TilesOfChunk
}

// UnitRoom is what the lists of a queue's unit may take.
func (f Fit) UnitRoom() uint64 { return f.Capacity - f.Headers }

// TileRoom is what the lists in a tile may take.
func (f Fit) TileRoom() uint64 { return f.Tile - f.Headers }

// mostUnits is how many units there are, at most.
func (f Fit) mostUnits(chunks []Chunk) (n uint64) {
	if !f.Cut {
		return uint64(len(chunks))
	}
	for _, c := range chunks {
		n += f.unitsOf(c, chunks)
	}
	return n
}

// unitsOf is how many units a chunk is cut into, at most: two that follow each other are more than a slot holds, be it
// of the chunk or of those that have the same rows in the other direction; and none goes beyond the end of any.
func (f Fit) unitsOf(c Chunk, chunks []Chunk) uint64 {
	n := uint64(1)
	for _, other := range chunks {
		rows, beside := c.Info.Rows, other.Info.Rows
		if rows.Base < beside.End() && beside.Base < rows.End() {
			n += 1 + 2*(other.Device+listBytes*rows.Count)/f.UnitRoom()
		}
	}
	return n
}
