package stats

import "github.com/penstock-db/penstock/formats/chunk"

// spySide is how many rows and columns a Spy has at most.
const spySide = 96

// Spy is an adjacency matrix, a row for each source and a column for each target, seen from so
// far that it has only so many of both: how many list entries lie in each square.
type Spy struct {
	Side    int
	Entries []uint64 // row by row

	vertices uint64
	bins     []uint8 // of each vertex
}

// newSpy has vertices by rank; nil: by number.
func newSpy(vertices uint64, rank []uint32) Spy {
	side := min(vertices, spySide)
	s := Spy{Side: int(side), Entries: make([]uint64, side*side), vertices: vertices, bins: make([]uint8, vertices)}
	for v := range s.bins {
		place := uint64(v)
		if rank != nil {
			place = uint64(rank[v])
		}
		s.bins[v] = uint8(place * side / vertices)
	}
	return s
}

func (s Spy) add(c *chunk.Chunk) {
	columns := s.bins[c.Meta().Cols.Base:c.Meta().Cols.End()]
	for v, list := range c.Lists() {
		row := s.Entries[int(s.bins[v])*s.Side:][:s.Side]
		for _, u := range list {
			row[columns[u]]++
		}
	}
}

// Share is how many entries there are for each place of the matrix in a square; where there are
// parallel edges, it may be more than one.
func (s Spy) Share(row, column int) float64 {
	places := s.size(row) * s.size(column)
	return float64(s.Entries[row*s.Side+column]) / float64(places)
}

// size is how many vertices have that bin.
func (s Spy) size(bin int) uint64 { return s.first(bin+1) - s.first(bin) }

// first is the place of the first vertex of a bin, or of one behind the last.
func (s Spy) first(bin int) uint64 {
	side := uint64(s.Side)
	return (uint64(bin)*s.vertices + side - 1) / side
}
