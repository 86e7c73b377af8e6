package plan

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// programs is what the two programs of a run take of a machine's memory beside the device's share: their code, tables
// and heaps. With less there is no end of reading their code again: PageRank of RMAT 20 and 22 in control groups, with
// a state of 42 MiB, took 0.7 s where 52 MiB were left, and over 60 s where 48 were.
const programs = 52 << 20

// Budget is what a run may take of a device's memory: what was asked for, as far as there is so much; by default, so
// much that room is left for what else the device holds, or half of this machine's memory for everything else: of a
// small machine what the programs leave, but a quarter at least.
func Budget(asked uint64, d plugins.Description, machine uint64) uint64 {
	switch {
	case d.Memory > 0 && asked > 0:
		return min(asked, d.Memory)
	case d.Memory > 0:
		return d.Memory / 8 * 7
	case asked > 0:
		return asked
	}
	return min(machine/2, max(machine/4, machine-min(machine, programs)))
}

// whole is what the two programs of a run take of a machine's memory beside the device's share, where chunks are sent
// as they are stored: half of what they take where lists are cut. PageRank of RMAT 20 in control groups of 80 MiB was
// as fast with 27 MiB left as with 40, and three to five times slower with 22.
const whole = 30 << 20

// Most is up to what a budget may be raised that nobody has named: what a machine has beside the programs, of what is
// free of its memory.
func Most(machine, free uint64) uint64 { return min(free, machine) - min(free, machine, whole) }

// Arena says where in the shared memory what has its place: room for every chunk of a graph, each at a place of its
// own, or for as many slots as could ever be wanted; behind it the vertex columns of one run. What is not used is never
// touched, and costs nothing.
//
// Behind them is room for the parts that the devices of a chain are given of each chunk.
//
//	0          chunks, or slots       Columns                    Parts
//	│ out 0 │ out 1 │ … │ in 0 │ …       │ id │ rank │ active │ …    │ out 0 of #1 │ out 0 of #2 │ …
type Arena struct {
	Places  map[ChunkName]arena.Range // of every chunk; room for the largest it may be
	Columns uint64                    // where the vertex columns begin
	Parts   arena.Range               // empty: there is no chain
}

// columnRoom is how many columns of 8 bytes a vertex an arena has room for, at least, so
// that other algorithms may use it after the one that it is made for.
const columnRoom = 16

// Arena makes room for the chunks of a graph beside vertex columns that take so much. Where chunks are cut into parts,
// these have room as well; and so have those of the devices of a chain, of which there are so many.
func (c Computation) Arena(g Graph, occupied uint64, parts bool, devices int) (a Arena, size uint64, err error) {
	var chunks Placer
	var slots, largest, divided uint64
	a.Places = map[ChunkName]arena.Range{}
	sizes, vertices := c.Sizes(g.Manifest()), g.Manifest().Vertices
	for _, d := range Directions(g.Manifest()) {
		all, err := c.Chunks(g, d)
		if err != nil {
			return a, 0, err
		}
		for _, each := range all {
			a.Places[each.Name()] = chunks.Place(uint64(each.Size))
			slots += SlotBytes(uint64(each.Size))
			if parts {
				slots += sizes.CutRoom(each)
			}
			largest = max(largest, SlotBytes(uint64(each.Size)+sizes.PartRoom())+wholePages(BitmapBytes(vertices)))
			divided += sizes.DividedRoom(each, devices)
		}
	}
	a.Columns = wholePages(chunks.Used + slots + maxSlots*largest) // below it are the slots, which begin with a page
	size = a.Columns + max(occupied, columnRoom*8*vertices, arena.Align)
	if devices > 1 {
		passing := maxPassing * (a.Columns + maxSlots*partHeader) // the slots are all below the columns
		a.Parts = arena.Range{Offset: wholePages(size),
			Length: divided + sizes.overlaps(g.Manifest(), devices) + uint64(devices)*passing}
		size = a.Parts.End()
	}
	return a, size, nil
}

// CheckUnbounded looks after memory where no budget was named, nor the device has one of its own. What devices take
// beside the chunks may grow with the square of the vertices, however few edges there are: more than is free is refused
// with a *BudgetError, and of much there is a notice. fixed is what all devices take so.
func (p *Plan) CheckUnbounded(fixed, free uint64) (notice, err error) {
	switch {
	case p.Request.DeviceMemory > 0 || p.Device.Memory > 0:
		return nil, nil
	case fixed > free:
		return nil, &BudgetError{What: "what " + p.Device.Name + " takes beside the chunks, of memory that is free,",
			Need: fixed, Have: free,
			Advice: fmt.Sprintf("close what holds memory, or give --device-memory %dB to try it all the same", fixed)}
	case fixed > p.Budget/4:
		return fmt.Errorf("%s takes %s beside the chunks, of %s that are free; --device-memory bounds that",
			p.Device.Name, humanize.IBytes(fixed), humanize.IBytes(free)), nil
	}
	return nil, nil
}
