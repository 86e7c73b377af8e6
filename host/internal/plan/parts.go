package plan

import "github.com/penstock-db/penstock/plugins/arena"

// Parts says where the parts lie that the devices of a chain are given of chunks, each of the edges of its share.
type Parts struct {
	Chunks  int         // the parts of so many chunks, the first, are kept once they have been cut
	Kept    arena.Range // where these lie
	Passing arena.Range // where those lie that are cut anew each time
	Each    uint64      // bytes of one of these, at most
}

// maxPassing is of how many chunks a shipment may be: nearest first, of what was chosen ahead and what was lacking.
const maxPassing = 2

// Divides tells whether each of several devices is given the edges that lead to its share of the vertices, and has the
// state of all.
func (p *Plan) Divides() bool { return p.Devices > 1 && p.Core == nil && p.Intervals == nil }

// PullsSums tells whether messages go from the columns of chunks to their rows, and in what order they are added up
// matters.
func (p *Plan) PullsSums() bool { return !p.Kernel.ActiveRows && !p.AnyOrder() }

// CutsSums tells whether slots have room for all that is added up at once, so that a chunk which is too large is cut
// only where that changes no bit of a sum.
func (f Fit) CutsSums(s Sizes) bool { return f.Capacity >= s.SumRoom()+s.PartRoom() }

// widen has each chunk take as much of a device's budget as the part of it may that is the device's.
func (p *Plan) widen() {
	if !p.Divides() {
		return
	}
	for i := range p.Chunks {
		p.Chunks[i].Device += partHeader
	}
}

// placeParts makes room for the parts of chunks: of all that are resident, and of all others where the host has room
// for the graph, of which the chunks of one run take half of the memory at most. Else they are cut each time.
func (p *Plan) placeParts(t Terms) {
	if !p.Divides() {
		return
	}
	f, parts, sizes := &p.Fit, &p.Fit.Parts, p.Sizes()
	switch parts.Chunks = f.Kept; {
	case byLists(p): // which come alone
	case f.Resident || t.Machine > 0 && GraphBytes(t.Graph) <= t.Machine/2:
		parts.Chunks = len(p.Chunks)
	}
	parts.Kept.Offset = t.Arena.Parts.Offset
	for _, c := range p.Chunks[:parts.Chunks] {
		parts.Kept.Length += sizes.DividedRoom(c, p.Devices)
	}
	parts.Kept.Length += Aligned(p.overlaps()) // so that what passes begins at an alignment
	parts.Passing.Offset = parts.Kept.End()
	if len(f.Slots) > 0 {
		parts.Each = f.Capacity + partHeader
		parts.Passing.Length = uint64(len(f.Slots)*p.Devices) * parts.Each
		if p.Nearest {
			parts.Passing.Length *= maxPassing
		}
	}
	f.Arena += parts.Kept.Length + parts.Passing.Length
}

// overlaps is what devices are given beside their own edges when all chunks are sent, at most.
func (p *Plan) overlaps() uint64 {
	if !p.Divides() || !p.PullsSums() {
		return 0
	}
	return p.Sizes().overlaps(p.Graph.Manifest(), p.Devices)
}
