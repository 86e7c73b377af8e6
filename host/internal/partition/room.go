package partition

import (
	"slices"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/plan"
)

// coreRoom is what a core's part of the chunks takes of the second device's budget, at most, beside what its plan says.
type coreRoom struct {
	entries []uint64 // of lists, that so many vertices may have among each other
	entry   uint64   // bytes of each
	list    uint64   // and of a vertex's lists
	chunks  uint64   // and of the chunks that these are in
	all     uint64   // what all edges take
}

// coreRoom goes by degrees: no core of so many vertices has more edges than those of highest degree have.
func (a *agreement) coreRoom(degrees []uint32) (room coreRoom, err error) {
	sizes := a.Computation.Sizes(a.Snap.Manifest())
	room.entry = sizes.Entry()
	for _, d := range a.Dense.Plan.Directions {
		if d == chunk.Both {
			d = chunk.Out // the name of the only set
		}
		chunks, err := a.Computation.Chunks(a.Snap, d)
		if err != nil {
			return room, err
		}
		strips, most := map[uint64]uint64{}, uint64(0) // how many chunks a row's list is in
		for _, c := range chunks {
			room.chunks += plan.Aligned(sizes.PartRoom())
			room.all += c.Device + sizes.CutRoom(c) - uint64(c.Size)
			strips[c.Info.Rows.Base]++
			most = max(most, strips[c.Info.Rows.Base])
		}
		room.list += 8 * most
	}
	room.entries = a.mostEntries(degrees)
	return room, nil
}

// mostEntries are how many entries of lists vertices have that come first by degree. Degrees of a directed graph count
// an edge inside at both its ends, and each direction has it once.
func (a *agreement) mostEntries(degrees []uint32) []uint64 {
	sorted := slices.Sorted(slices.Values(degrees))
	most := make([]uint64, len(sorted)+1)
	for i := range sorted {
		most[i+1] = most[i] + uint64(sorted[len(sorted)-1-i])
	}
	if a.Snap.Manifest().Directed {
		for i := range most {
			most[i] = most[i] / 2 * uint64(len(a.Dense.Plan.Directions))
		}
	}
	return most
}

// of is for a core of n vertices.
func (c coreRoom) of(n uint64) uint64 {
	return min(c.all, c.entries[n]*c.entry+n*c.list+c.chunks)
}
