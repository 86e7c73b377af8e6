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
	if err := p.sizeSlots(t, p.Budget-p.Kernel.Fixed-p.setBytes()); err != nil {
		return err
	}
	slot, tile := SlotBytes(f.Capacity), SlotBytes(f.Tile)
	room := p.Budget - p.Kernel.Fixed - p.setBytes() - f.Capacity
	tiles := min(p.mostTiles(), room/f.Tile, (below.At-slot)/tile)
	for i := range tiles {
		f.Tiles = append(f.Tiles, Slot{At: below.Place(tile), Part: uint32(uint64(len(p.Chunks)) + i)})
	}
	more := min(p.mostUnits()-1, (room-tiles*f.Tile)/f.Capacity, below.At/slot-1)
	for range 1 + more {
		f.Slots = append(f.Slots, Slot{At: below.Place(slot)})
	}
	f.Used += p.setBytes() + tiles*f.Tile + (1+more)*f.Capacity
	f.Arena += t.Arena.Columns - below.At
	return nil
}

// sizeSlots says how large slots and tiles are. Chunks come whole if one fits beside a tile and has all edges of its
// vertices. Else they are cut by rows, so that there are several slots, but none is so small that some vertex has
// more edges. The error is *unsettled.
func (p *Plan) sizeSlots(t Terms, room uint64) error {
	f := &p.Fit
	f.Capacity = f.Largest
	f.Tile = p.tileOf(f.Largest)
	whole, mayBeWhole := f.Largest+f.Tile, len(p.Kernel.Directions) == 1
	if mayBeWhole && whole <= room {
		return nil
	}
	f.Cut = true
	longest, err := t.Longest(p.Kernel.Directions)
	if err != nil {
		return err
	}
	least := Aligned(p.Sizes().ListsCost(len(p.Kernel.Directions), int(longest.Edges)) + p.headers())
	f.Capacity = Aligned(max(least, min(f.Largest, max(room/(maxSlots+1), leastSlot))))
	if f.Tile = p.tileOf(f.Capacity); f.Capacity+f.Tile > room {
		f.Capacity, f.Tile = least, p.tileOf(least)
	}
	if need := f.Capacity + f.Tile; need > room {
		if mayBeWhole {
			need = min(need, whole) // a chunk of one list may be smaller than what is put together
		}
		return &unsettled{reason: fmt.Sprintf("all %d edges of vertex %s must be on the device at once, which takes a budget of %d bytes",
			longest.Edges, longest.Vertex, p.Kernel.Fixed+p.setBytes()+need)}
	}
	return nil
}

// mostTiles is a slot's worth of tiles. Those of small slots are mostly headers, and larger than a part of the slot.
func (p *Plan) mostTiles() uint64 {
	if p.Fit.Cut {
		return min(TilesOfChunk, max(leastTiles, p.Fit.Capacity/p.Fit.Tile))
	}
	return TilesOfChunk
}

// tileOf is how large tiles are beside slots of some size.
func (p *Plan) tileOf(capacity uint64) uint64 {
	return Aligned(max(capacity/TilesOfChunk, p.headers()) + p.headers())
}

// headers are what the chunks of all directions take that are put together, beside their lists.
func (p *Plan) headers() uint64 {
	return uint64(len(p.Kernel.Directions)) * Aligned(p.Sizes().PartRoom())
}

// UnitRoom is what of so many bytes the lists of a queue's unit, or of a tile, may take.
func (p *Plan) UnitRoom(bytes uint64) uint64 { return bytes - p.headers() }

// LongestOfTile is how many edges a vertex may have to fit a tile, whatever its columns are.
func (p *Plan) LongestOfTile() uint64 {
	return p.Sizes().Longest(p.UnitRoom(p.Fit.Tile), len(p.Kernel.Directions))
}

// mostUnits is how many units there are, at most.
func (p *Plan) mostUnits() (n uint64) {
	if !p.Fit.Cut {
		return uint64(len(p.Chunks))
	}
	for _, c := range p.Chunks {
		n += p.unitsOf(c)
	}
	return n
}

// unitsOf is how many units a chunk is cut into, at most: two that follow each other in it are more than a slot holds.
// So are those of the other direction's chunks, where there is one, and none goes beyond the end of one of these.
func (p *Plan) unitsOf(c Chunk) uint64 {
	room, lists := p.UnitRoom(p.Fit.Capacity), listBytes*c.Info.Rows.Count
	if len(p.Kernel.Directions) == 1 {
		return 1 + 2*(c.Device+lists)/room
	}
	n := uint64(1)
	for _, other := range p.Chunks {
		rows, beside := c.Info.Rows, other.Info.Rows
		if rows.Base < beside.End() && beside.Base < rows.End() {
			n += 1 + 2*(other.Device+lists)/room
		}
	}
	return n
}
