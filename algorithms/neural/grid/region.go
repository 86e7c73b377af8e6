package grid

import (
	"fmt"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
)

// Align is what every array in a region begins at a multiple of.
const Align = 64

// Rows are the rows of a value: all numbers, or those that are not 0.
type Rows struct {
	Numbers []float32
	Offsets []int64 // where the row of each vertex begins in Numbers and Columns, from 0; nil: all numbers are there
	Columns []uint32
}

// Entries is how many numbers of an interval are not 0, of an input that comes sparse.
type Entries func(v *dataflow.Value) int64

// PlaceRows finds what lies in a region: for so many vertices the rows of Near, then those of Stored. Those that sparse
// names come as numbers that are not 0; entries says how many. Nil: as the offsets say, which are there.
func (s *Stage) PlaceRows(region []byte, vertices int, sparse map[*dataflow.Value]bool, entries Entries) (
	map[*dataflow.Value]Rows, error) {
	all, c := map[*dataflow.Value]Rows{}, cursor{region: region}
	for _, v := range s.Near {
		if !sparse[v] {
			all[v] = Rows{Numbers: take[float32](&c, int64(vertices)*int64(v.Width))}
			continue
		}
		rows := Rows{Offsets: take[int64](&c, int64(vertices)+1)}
		count := int64(0)
		if entries != nil {
			count = entries(v)
		} else if rows.Offsets != nil {
			count = rows.Offsets[vertices]
		}
		rows.Columns, rows.Numbers = take[uint32](&c, count), take[float32](&c, count)
		all[v] = rows
	}
	for _, v := range s.Stored {
		all[v] = Rows{Numbers: take[float32](&c, int64(vertices)*int64(v.Width))}
	}
	return all, c.err
}

// RowsBytes is what PlaceRows needs.
func (s *Stage) RowsBytes(vertices int, sparse map[*dataflow.Value]bool, entries Entries) (bytes uint64) {
	for _, v := range s.Near {
		if sparse[v] {
			bytes += aligned(8*int64(vertices+1)) + 2*aligned(4*entries(v))
		} else {
			bytes += aligned(4 * int64(vertices) * int64(v.Width))
		}
	}
	for _, v := range s.Stored {
		bytes += aligned(4 * int64(vertices) * int64(v.Width))
	}
	return bytes
}

// Size is how much a cell has.
type Size struct {
	Vertices   int // of the interval
	Sources    int // vertices at the far ends
	Edges      int
	Properties int // of an edge
}

// Cell is edges to an interval from some other vertices, and rows of those.
type Cell struct {
	Offsets    []uint32 // where the edges of each vertex of the interval begin; one more than there are vertices
	Others     []uint32 // of each edge the far end, by its place among Sources
	Sources    []uint32 // vertices, ascending
	Properties [][]float64
	Far        [][]float32 // of each of a wave's Far, the rows of Sources
}

// PlaceCell finds what lies in a region: the edges, EdgeBytes of them, then rows.
func PlaceCell(region []byte, size Size, far []*dataflow.Value) (Cell, error) {
	c := cursor{region: region}
	cell := Cell{Offsets: take[uint32](&c, int64(size.Vertices)+1), Others: take[uint32](&c, int64(size.Edges)),
		Sources: take[uint32](&c, int64(size.Sources))}
	for range size.Properties {
		cell.Properties = append(cell.Properties, take[float64](&c, int64(size.Edges)))
	}
	for _, v := range far {
		cell.Far = append(cell.Far, take[float32](&c, int64(size.Sources)*int64(v.Width)))
	}
	return cell, c.err
}

// EdgeBytes is what the edges of a cell take.
func (s Size) EdgeBytes() uint64 {
	return aligned(4*int64(s.Vertices+1)) + aligned(4*int64(s.Edges)) + aligned(4*int64(s.Sources)) +
		uint64(s.Properties)*aligned(8*int64(s.Edges))
}

// Bytes is what a cell takes with rows of its sources.
func (s Size) Bytes(far []*dataflow.Value) uint64 {
	bytes := s.EdgeBytes()
	for _, v := range far {
		bytes += aligned(4 * int64(s.Sources) * int64(v.Width))
	}
	return bytes
}

// cursor takes arrays one after the other.
type cursor struct {
	region []byte
	at     int64
	err    error
}

func aligned(n int64) uint64 { return uint64((n + Align - 1) / Align * Align) }

func take[T float32 | float64 | int64 | uint32](c *cursor, n int64) []T {
	size := int64(unsafe.Sizeof(*new(T)))
	if c.err == nil && (n < 0 || n > (int64(len(c.region))-c.at)/size) {
		c.err = fmt.Errorf("%d numbers of %d bytes do not fit at place %d of %d", n, size, c.at, len(c.region))
	}
	if c.err != nil {
		return nil
	}
	from := c.at
	c.at += int64(aligned(n * size))
	if n == 0 {
		return []T{}
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&c.region[from])), n)
}

// Check refuses a cell whose numbers do not fit together, in a graph of so many vertices.
func (c *Cell) Check(vertices uint64) error {
	for v := range len(c.Offsets) - 1 {
		if c.Offsets[v] > c.Offsets[v+1] {
			return fmt.Errorf("the list of row %d ends before it begins", v)
		}
	}
	if c.Offsets[0] != 0 || int(c.Offsets[len(c.Offsets)-1]) != len(c.Others) {
		return fmt.Errorf("lists do not have %d edges", len(c.Others))
	}
	for e, u := range c.Others {
		if int(u) >= len(c.Sources) {
			return fmt.Errorf("edge %d has far end %d of %d", e, u, len(c.Sources))
		}
	}
	for _, u := range c.Sources {
		if uint64(u) >= vertices {
			return fmt.Errorf("far end %d in a graph of %d vertices", u, vertices)
		}
	}
	return nil
}
