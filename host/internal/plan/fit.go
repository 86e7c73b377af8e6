package plan

import (
	"fmt"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/host/internal/violation"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// maxSlots is how many shipments a streamed run has in the arena at once: one that the
// device works on, two being made, one that is there and waits.
const maxSlots = 4

// leastSlot is the least that a slot may be, where chunks have to be cut to fit.
const leastSlot = 16 << 10

// passing: where parts settle, slots have room for this part of all chunks together, before any stay on the device.
// Each command to settle looks at all vertices, so that slots must not be small.
const passing = 8

// Fit says how chunks fit the budget, and where they have their places.
type Fit struct {
	Resident bool
	Scarce   bool   // what is read would not stay in the system's cache until it is read again
	All      uint64 // bytes of the budget that all chunks take together
	Minimum  uint64 // the least budget that will do
	Together uint64 // the least budget by which all chunks stay on the device
	Used     uint64 // bytes of the budget that the run may take, at most
	Arena    uint64 // bytes of the arena that vertex columns and chunks take, at most
	Largest  uint64 // bytes of the budget that the largest chunk takes
	Capacity uint64 // bytes of it that each slot has
	Slots    []Slot
	Tile     uint64 // of a queue: bytes of the budget that each tile has
	Tiles    []Slot
	Headers  uint64      // of a queue: what is put together takes beside its lists, of all directions
	Cut      bool        // of a queue: chunks are cut by rows, so that each slot holds all edges of some vertices
	Set      arena.Range // for the senders of a queue's turn
	Parts    Parts       // of a chain
	Placed   uint64      // of a streamed run, where in the arena the places end that all chunks have; 0: they have none
	Kept     int         // of a streamed run, so many chunks, the first, stay on the device
}

// Slot is a place in the arena for a shipment. It is free again once the device has
// evicted the shipment.
type Slot struct {
	At   arena.Range
	Set  arena.Range // for the bitmap of a Settle
	Part uint32      // the number of the chunk that is put together here
}

// fit decides between a resident and a streamed run and places the chunks, or refuses
// with a *BudgetError.
func (t Terms) fit(c Computation, kernel plugins.Plan) (*Plan, error) {
	p, err := t.begin(c, kernel)
	if err != nil {
		return nil, err
	}
	p.widen()
	p.measure()
	switch f := p.Fit; {
	case t.Budget < f.Minimum:
		return nil, p.tooSmall()
	case f.Together <= t.Budget && !c.Schedule.Needs.Streams && !p.Settling && !c.Task.Passes:
		p.placeAll(t)
	default:
		if err := p.placeSlots(t); err != nil {
			return nil, err
		}
	}
	p.placeParts(t)
	p.Streaming = p.streaming()
	return p, nil
}

// measure finds out what the chunks take, and which budgets would do.
func (p *Plan) measure() {
	f := &p.Fit
	for _, each := range p.Chunks {
		f.All += Aligned(each.Device)
		f.Largest = max(f.Largest, Aligned(each.Device))
	}
	f.Together = p.Kernel.Fixed + f.All
	f.Minimum = p.Kernel.Fixed + min(f.Largest, leastSlot) + p.setBytes()
	if p.Task.Program == nil && !p.Task.Passes {
		f.Minimum = f.Together
	}
}

// FitParts places the chunks of two devices that have a part of the edges each, or refuses with a *BudgetError. Only
// chunks that the first device has use for count against its budget, and these as if nothing were cut off: should the
// second device die, it comes back.
func (t Terms) FitParts(c Computation, kernel plugins.Plan, counts func(Chunk) bool) (*Plan, error) {
	p, err := t.begin(c, kernel)
	if err != nil {
		return nil, err
	}
	for _, each := range p.Chunks {
		if counts(each) {
			p.Fit.All += Aligned(each.Device)
		}
	}
	p.Fit.Together = kernel.Fixed + p.Fit.All
	if p.Fit.Minimum = p.Fit.Together; t.Budget < p.Fit.Minimum {
		e := p.tooSmall()
		e.What = "its state beside all chunks, which stay on the device beside a core,"
		return nil, e
	}
	p.placeAll(t)
	p.Streaming = p.streaming()
	return p, nil
}

// begin is a plan that has chosen its chunks, and no places for them.
func (t Terms) begin(c Computation, kernel plugins.Plan) (p *Plan, err error) {
	p = &Plan{Computation: c, Graph: t.Graph, Device: t.Device, Devices: t.Devices, Budget: t.Budget, Kernel: kernel,
		Settling: c.Task.Settle, Nearest: kernel.Nearest}
	if len(c.Vectors) > 0 && !kernel.Learns {
		return nil, violation.Of(t.Device.Name, "a plan that takes up no vectors (learns), which it is given")
	}
	p.Chunks, err = c.wanted(t.Graph, t.Device.Name, kernel)
	return p, err
}

// setBytes is what the bitmap of a Settle takes.
func (p *Plan) setBytes() uint64 {
	if !p.Settling {
		return 0
	}
	return Aligned(BitmapBytes(p.Graph.Manifest().Vertices))
}

// placeAll gives every chunk its own place.
func (p *Plan) placeAll(t Terms) {
	p.Fit.Resident, p.Fit.Used, p.Fit.Arena = true, p.Kernel.Fixed+p.Fit.All, t.Occupied
	for i, c := range p.Chunks {
		p.Chunks[i].At = t.Arena.Places[c.Name()]
		p.Fit.Arena += Aligned(uint64(c.Size))
	}
}

// placeSlots makes as many slots as the budget has room for, each for the largest chunk, or
// larger where more is put together in one. What waits in a slot counts although it is not
// uploaded yet: to a device that reads in place it is the same memory. The error is *unsettled.
func (p *Plan) placeSlots(t Terms) error {
	f, needs := &p.Fit, p.Schedule.Needs
	f.Used, f.Arena = p.Kernel.Fixed, t.Occupied
	p.placeForSelection(t)
	if f.Largest == 0 {
		return nil // there are no edges
	}
	f.Scarce = scarce(t)
	if byLists(p) {
		placeRing(t, p)
		return nil
	}
	if p.Settling && needs.Queue {
		return p.placeQueue(t)
	}
	room, wanted := p.Budget-p.Kernel.Fixed, f.Largest+p.slack()
	n := max(1, min(maxSlots, uint64(len(p.Chunks)), room/(wanted+p.setBytes())))
	if needs.Grid && p.MayCut() || p.Task.Passes { // so that stages overlap
		n = max(1, min(maxSlots, room/leastSlot))
	}
	f.Capacity = min(wanted, room/n-p.setBytes())
	if p.Settling {
		f.Capacity = min(f.All+p.slack(), room/n-p.setBytes(),
			slotRoom((t.Arena.Columns-f.Placed)/n-wholePages(p.setBytes())))
		if keeps(p) { // the rest is for what stays
			least := min(f.Capacity, max(wanted, min(room, f.All/passing)/n))
			slots := min(room, n*(least+p.setBytes()))
			f.Capacity -= min(p.pinned(room-slots)/n, f.Capacity-least)
		}
	}
	f.Capacity = f.Capacity / arena.Align * arena.Align
	at := t.Arena.Columns
	for i := range n {
		at -= SlotBytes(f.Capacity) + wholePages(p.setBytes())
		s := Slot{At: arena.Range{Offset: at, Length: SlotBytes(f.Capacity)}, Part: uint32(uint64(len(p.Chunks)) + i)}
		s.Set = arena.Range{Offset: s.At.End(), Length: p.setBytes()}
		f.Slots = append(f.Slots, s)
	}
	f.Used += n * (f.Capacity + p.setBytes())
	f.Arena += t.Arena.Columns - at
	if keeps(p) {
		p.pin()
	}
	return nil
}

// scarce tells whether the memory has no room for all chunks in its half, or in what a larger budget leaves.
func scarce(t Terms) bool {
	left := min(t.Machine/2, t.Machine-min(t.Machine, t.Budget))
	return t.Machine > 0 && GraphBytes(t.Graph) > left
}

// keeps tells whether chunks stay on the device. Where only better values settle, most lists are sent but once or
// twice, and what stays takes room from slots: in smaller ones less settles together, and it is sent more often.
func keeps(p *Plan) bool {
	betters := p.Settling && p.Task.Program.Order == algorithms.Monotone
	return p.Schedule.Needs.Pins && !p.Task.Passes && !betters
}

// pinned is what the first chunks take, as many as have room.
func (p *Plan) pinned(room uint64) (bytes uint64) {
	for _, c := range p.Chunks {
		if bytes+c.Device > room {
			break
		}
		bytes += c.Device
	}
	return bytes
}

// pin gives the first chunks places of their own, as far as the budget goes beside the
// slots, and the arena below them: they stay on the device from one iteration to the next. Being the first they come
// before all others in every iteration, so that the order of sums stays the same.
func (p *Plan) pin() {
	var places Placer
	slots := p.Fit.Slots[len(p.Fit.Slots)-1].At.Offset // the last is the lowest
	for i, c := range p.Chunks {
		if p.Fit.Used+c.Device > p.Budget || p.Fit.Placed == 0 && places.Used+SlotBytes(uint64(c.Size)) > slots {
			return
		}
		p.Fit.Kept = i + 1
		p.Fit.Used += c.Device
		if p.Fit.Placed == 0 {
			p.Chunks[i].At = places.Place(SlotBytes(uint64(c.Size)))
			p.Fit.Arena += p.Chunks[i].At.Length
		}
	}
}

// placeForSelection gives each chunk of a streamed run a place of its own in the arena, where it stays once it has been
// read, for a device that takes active rows out of it by itself: then the host does not cut, and nothing is read twice.
// The host's memory must have room for the graph, of which the chunks of one run take half at most.
func (p *Plan) placeForSelection(t Terms) {
	if !p.selects(t) {
		return
	}
	for i, c := range p.Chunks {
		at := t.Arena.Places[c.Name()]
		p.Chunks[i].At = at
		p.Fit.Placed = max(p.Fit.Placed, Aligned(at.End()))
		p.Fit.Arena += Aligned(at.Length)
	}
}

// selects tells whether a run is such a one. Queues and grids have chunks cut otherwise, and several
// devices are given the same lists; what has to be converted the host cuts.
func (p *Plan) selects(t Terms) bool {
	needs := p.Schedule.Needs
	return p.Kernel.Selects && p.Kernel.ActiveRows && !p.Task.Passes && needs.Demand && !needs.Grid &&
		(!p.Settling || !needs.Queue) &&
		p.Devices == 1 && p.Sizes().ConvertedEdge == 0 && t.Machine > 0 && GraphBytes(t.Graph) <= t.Machine/2
}

// slack is what a part of a chunk may take beyond the chunk, where parts are sent.
func (p *Plan) slack() uint64 {
	if !p.Schedule.Needs.Demand {
		return 0
	}
	return Aligned(p.Sizes().PartRoom())
}

// tooSmall says what is missing.
func (p *Plan) tooSmall() *BudgetError {
	minimum, all := p.Fit.Minimum, p.Fit.Together
	e := &BudgetError{What: "its state beside the largest chunk", Need: minimum, Have: p.Budget, together: all,
		roomy: roomy(p), ample: ample(p), Advice: fmt.Sprintf("give --device-memory %dB", minimum)}
	if p.Task.Program == nil && !p.Task.Passes {
		if e.What = "the whole graph, which " + p.Device.Name + " needs at once for it,"; p.Edgeless {
			e.What = "what vertices have, which " + p.Device.Name + " needs at once for it,"
		}
		e.Advice += ", or choose a device with more memory"
	} else if all > minimum {
		e.Advice += fmt.Sprintf(", or %dB to keep the whole graph on the device", all)
	}
	if p.Device.Memory > 0 && minimum > p.Device.Memory {
		e.Advice = "choose a device with more memory: this is more than it has"
	}
	return e
}
