package host

import (
	"fmt"
	"os"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// maxSlots is how many shipments a streamed run has in the arena at once: one that the
// device works on, two being made, one that is there and waits.
const maxSlots = 4

// leastSlot is the least that a slot may be, where chunks have to be cut to fit.
const leastSlot = 16 << 10

// fit says how a run's chunks fit its budget.
type fit struct {
	resident bool
	scarce   bool   // what is read would not stay in the system's cache until it is read again
	all      uint64 // bytes of the budget that all chunks take together
	minimum  uint64 // the least budget that will do
	used     uint64 // bytes of the budget that the run may take, at most
	largest  uint64 // bytes of it that the largest chunk takes
	capacity uint64 // bytes of it that each slot has
	slots    []slot
	tile     uint64 // of Scaph's low engine: bytes of the budget that each tile has
	tiles    []slot
	set      arena.Range // for its senders
	shelved  uint64      // of a streamed run, where in the arena the places end that all chunks have; 0: they have none
	kept     int         // of a streamed run, so many chunks, the first, stay on the device
}

// fits decides between a resident and a streamed run and places the chunks, or refuses
// with a *BudgetError.
func (r *run) fits() error {
	r.fit = fit{}
	for _, c := range r.chunks {
		r.fit.all += aligned(c.device)
		r.fit.largest = max(r.fit.largest, aligned(c.device))
	}
	all := r.kernel.Fixed + r.fit.all
	if r.fit.minimum = r.kernel.Fixed + min(r.fit.largest, leastSlot) + r.setBytes(); r.task.Program == nil {
		r.fit.minimum = all // a procedure needs every chunk at once
	}
	switch {
	case r.budget < r.fit.minimum:
		return r.tooSmall(all)
	case all <= r.budget && r.req.Schedule != scheduleWhole && !r.settling:
		r.placeAll()
	default:
		r.placeSlots()
	}
	return nil
}

// sumRoom is what a slot has to have for chunks to be cut only where that changes no bit of a sum, however short lists are.
func (r *run) sumRoom() uint64 {
	const list, edge, column = 8, 4, 8 // bytes
	return chunk.SumEdges * uint64(list+edge+column*len(r.edgeNames)+r.convertedEdge())
}

// setBytes is what the bitmap of a Settle takes.
func (r *run) setBytes() uint64 {
	if !r.settling {
		return 0
	}
	return aligned(bitmapBytes(r.snap.Manifest().Vertices))
}

// placeAll gives every chunk its own place. Chunks of earlier runs stay while there is
// room for both.
func (r *run) placeAll() {
	r.fit.resident, r.fit.used = true, r.kernel.Fixed+r.fit.all
	r.used = r.occupied
	for i, c := range r.chunks {
		r.chunks[i].at = r.warm.places[c.name()]
		r.used += aligned(uint64(c.size))
	}
	if r.fit.used+r.warm.spareBytes(r.chunks) > r.budget {
		r.warm.shed(r.chunks)
	}
}

// placeSlots makes as many slots as the budget has room for, each for the largest chunk, or
// larger where more is put together in one. What waits in a slot counts although it is not
// uploaded yet: to a device that reads in place it is the same memory.
func (r *run) placeSlots() {
	r.fit.used, r.used = r.kernel.Fixed, r.occupied
	r.shelve()
	if !r.policy.Needs.Demand {
		r.warm.leaveFiles() // nobody looks at chunks where they are stored
	}
	if r.fit.largest == 0 {
		return // there are no edges
	}
	r.fit.scarce = r.engine != nil && r.engine.memory > 0 && r.graphBytes() > r.engine.memory/2
	if r.keeps() {
		r.placeEngines()
		return
	}
	room, wanted := r.budget-r.kernel.Fixed, r.fit.largest+r.slack()
	n := max(1, min(maxSlots, uint64(len(r.chunks)), room/(wanted+r.setBytes())))
	if r.policy.Needs.Grid && r.mayCut() { // so that stages overlap
		n = max(1, min(maxSlots, room/leastSlot))
	}
	r.fit.capacity = min(wanted, room/n-r.setBytes())
	if r.settling {
		r.fit.capacity = min(r.fit.all+r.slack(), room/n-r.setBytes(), slotRoom((r.warm.columns-r.fit.shelved)/n-wholePages(r.setBytes())))
	}
	r.fit.capacity = r.fit.capacity / arena.Align * arena.Align
	at := r.warm.columns
	for i := range n {
		at -= slotBytes(r.fit.capacity) + wholePages(r.setBytes())
		s := slot{at: arena.Range{Offset: at, Length: slotBytes(r.fit.capacity)}, part: uint32(uint64(len(r.chunks)) + i)}
		s.set = arena.Range{Offset: s.at.End(), Length: r.setBytes()}
		r.fit.slots = append(r.fit.slots, s)
	}
	r.fit.used += n * (r.fit.capacity + r.setBytes())
	r.used += r.warm.columns - at
	if r.req.Schedule == scheduleAuto && !r.settling {
		r.keepSome()
	}
}

// keeps tells whether chunks of high value stay on the device, of which several are to be
// there at once.
func (r *run) keeps() bool { return r.settling && r.policy.Needs.Queue }

// tilesOfChunk is how many tiles are as large as a chunk, as Scaph's authors have it.
const tilesOfChunk = 32

// placeEngines makes room for Scaph's engines: a slot for a chunk, a chunk's worth of tiles,
// and more slots, as far as the budget goes. With less than a slot and a tile there is no
// capacity.
func (r *run) placeEngines() {
	chunk, chunkBytes := r.fit.largest, slotBytes(r.fit.largest)
	tile := aligned(max(chunk/tilesOfChunk, r.partRoom()) + r.partRoom())
	below := downward{r.warm.columns}
	r.fit.set = below.place(wholePages(r.setBytes()))
	r.fit.set.Length = r.setBytes()
	if least := r.setBytes() + chunk + tile; r.budget-r.kernel.Fixed < least {
		return
	}
	room := r.budget - r.kernel.Fixed - r.setBytes() - chunk
	tiles := min(tilesOfChunk, room/tile, (below.at-chunkBytes)/slotBytes(tile))
	for i := range tiles {
		r.fit.tiles = append(r.fit.tiles, slot{at: below.place(slotBytes(tile)), part: uint32(uint64(len(r.chunks)) + i)})
	}
	more := min(uint64(len(r.chunks))-1, (room-tiles*tile)/chunk, below.at/chunkBytes-1)
	for range 1 + more {
		r.fit.slots = append(r.fit.slots, slot{at: below.place(chunkBytes)})
	}
	r.fit.capacity, r.fit.tile = chunk, tile
	r.fit.used += r.setBytes() + tiles*tile + (1+more)*chunk
	r.used += r.warm.columns - below.at
}

// downward places ranges one below the other.
type downward struct{ at uint64 }

func (d *downward) place(bytes uint64) arena.Range {
	d.at -= bytes
	return arena.Range{Offset: d.at, Length: bytes}
}

// keepSome gives the first chunks places of their own, as far as the budget goes beside the
// slots: they stay on the device from one iteration to the next. Being the first they come
// before all others in every iteration, so that the order of sums stays the same.
func (r *run) keepSome() {
	var p placer
	for i, c := range r.chunks {
		if r.fit.used+c.device > r.budget {
			return
		}
		r.fit.kept = i + 1
		r.fit.used += c.device
		if r.fit.shelved == 0 {
			r.chunks[i].at = p.place(slotBytes(uint64(c.size)))
			r.used += r.chunks[i].at.Length
		}
	}
}

// slotBytes is so much that a chunk of this size can be read in place past the system's
// cache, in each of several slots that follow each other.
func slotBytes(size uint64) uint64 { return wholePages(size + store.UncachedRoom) }

// slotRoom is the largest chunk whose slotBytes are so many, at most.
func slotRoom(bytes uint64) uint64 {
	page := uint64(os.Getpagesize())
	return bytes/page*page - store.UncachedRoom
}

func wholePages(bytes uint64) uint64 {
	page := uint64(os.Getpagesize())
	return (bytes + page - 1) / page * page
}

// slack is what a part of a chunk may take beyond the chunk, where parts are sent.
func (r *run) slack() uint64 {
	if !r.policy.Needs.Demand {
		return 0
	}
	return aligned(r.partRoom())
}

// tooSmall says what is missing; all would keep the whole graph on the device.
func (r *run) tooSmall(all uint64) *BudgetError {
	e := &BudgetError{What: "its state beside the largest chunk", Need: r.fit.minimum, Have: r.budget,
		Advice: fmt.Sprintf("give --device-memory %dB", r.fit.minimum)}
	if r.task.Program == nil {
		e.What = "the whole graph, which it needs at once,"
		e.Advice += ", or choose a device with more memory"
	} else if all > r.fit.minimum {
		e.Advice += fmt.Sprintf(", or %dB to keep the whole graph on the device", all)
	}
	if r.device.Memory > 0 && r.fit.minimum > r.device.Memory {
		e.Advice = "choose a device with more memory: this is more than it has"
	}
	return e
}

// refused turns a device's own refusal into a *BudgetError. The device cannot say which
// budget would do; what the vertex columns take is a lower bound.
func (r *run) refused(err error) error {
	if plugins.KindOf(err) != plugins.KindBudget {
		return err
	}
	var columns uint64
	for _, c := range r.task.Layout.Columns {
		columns += c.Range.Length
	}
	return &BudgetError{What: "its state", Need: max(columns+r.task.Layout.Active.Length, r.budget+1),
		Have: r.budget, AtLeast: true, Advice: "raise --device-memory", Err: err}
}
