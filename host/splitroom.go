package host

import (
	"slices"

	"github.com/penstock-db/penstock/formats/chunk"
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
func (s *split) coreRoom(degrees []uint32) (room coreRoom, err error) {
	room.entry = 4 + 8*uint64(len(s.edgeNames)) + uint64(s.convertedEdge())
	for _, d := range s.dense.plan.Directions {
		if d == chunk.Both {
			d = chunk.Out // pieces' name for the only set
		}
		pieces, err := s.pieces(d)
		if err != nil {
			return room, err
		}
		strips, most := map[uint64]uint64{}, uint64(0) // how many chunks a row's list is in
		for _, c := range pieces {
			room.chunks += aligned(s.partRoom())
			room.all += c.device + s.cutRoom(c) - uint64(c.size)
			strips[c.info.Rows.Base]++
			most = max(most, strips[c.info.Rows.Base])
		}
		room.list += 8 * most
	}
	room.entries = s.mostEntries(degrees)
	return room, nil
}

// mostEntries are how many entries of lists vertices have that come first by degree. Degrees of a directed graph count an edge
// inside at both its ends, and each direction has it once.
func (s *split) mostEntries(degrees []uint32) []uint64 {
	sorted := slices.Sorted(slices.Values(degrees))
	most := make([]uint64, len(sorted)+1)
	for i := range sorted {
		most[i+1] = most[i] + uint64(sorted[len(sorted)-1-i])
	}
	if s.snap.Manifest().Directed {
		for i := range most {
			most[i] = most[i] / 2 * uint64(len(s.dense.plan.Directions))
		}
	}
	return most
}

// of is for a core of n vertices.
func (c coreRoom) of(n uint64) uint64 {
	return min(c.all, c.entries[n]*c.entry+n*c.list+c.chunks)
}
