package cut

import "github.com/penstock-db/penstock/formats/chunk"

// Within takes of each list what leads into a part of the chunk's columns: with the lists of
// one row interval after another, the edge chunks of a grid (Ma et al., "NeuGraph: Parallel
// Deep Neural Network Computation on Large Graphs", ATC'19, section 3.1). Neighbors are then
// local to cols. Lists must ascend, as those of stored chunks do, and cols lie within the
// selection's own.
func (s Selection) Within(cols chunk.Interval) Selection {
	within := s.nothing()
	within.cols, within.lists = cols, make([]list, 0, len(s.lists))
	all, low := s.chunk.Neighbors(), cols.Base-s.meta.Cols.Base
	for _, l := range s.lists {
		neighbors := all[l.from:l.to]
		from := atLeast(neighbors, low)
		to := from + atLeast(neighbors[from:], low+cols.Count)
		if from < to {
			within.push(list{l.vertex, l.from + int32(from), l.from + int32(to)})
		}
	}
	return within
}

// atLeast is where the values from a bound on begin in an ascending list.
func atLeast(ascending []uint32, bound uint64) int {
	from, to := 0, len(ascending)
	if to > 0 && uint64(ascending[to-1]) < bound {
		return to
	}
	for from < to {
		if middle := (from + to) / 2; uint64(ascending[middle]) < bound {
			from = middle + 1
		} else {
			to = middle
		}
	}
	return from
}

// copyNeighbors copies lists to the start of dst, local to the part's own columns.
func (p part) copyNeighbors(dst []uint32, lists []list) {
	if p.rank != nil {
		p.copyRanks(dst, lists)
		return
	}
	all, moved := p.chunk.Neighbors(), uint32(p.cols.Base-p.meta.Cols.Base)
	for _, l := range lists {
		list := all[l.from:l.to]
		if moved == 0 {
			copy(dst, list)
		} else {
			for i, u := range list {
				dst[i] = u - moved
			}
		}
		dst = dst[len(list):]
	}
}

// copyRanks copies lists to the start of dst, each neighbor by its rank.
func (p part) copyRanks(dst []uint32, lists []list) {
	all, base := p.chunk.Neighbors(), p.meta.Cols.Base
	for _, l := range lists {
		list := all[l.from:l.to]
		for i, u := range list {
			dst[i] = uint32(p.rank.Of(base+uint64(u))) + p.ranked
		}
		dst = dst[len(list):]
	}
}
