package plan

import (
	"slices"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// Sizes says what lists of edges take, by the edge columns of a computation.
type Sizes struct {
	Columns int // edge columns
	// ConvertedEdge is the bytes that a device may need for an edge to see columns as float64 that are stored as something
	// else. Stored as float64 they are read in place: they have no nulls.
	ConvertedEdge int
}

// Sizes of a computation's chunks.
func (c Computation) Sizes(m *store.Manifest) Sizes {
	s := Sizes{Columns: len(c.EdgeNames)}
	for _, p := range m.EdgeProperties {
		if slices.Contains(c.EdgeNames, p.Name) && p.Type != "float64" {
			s.ConvertedEdge += 8
		}
	}
	return s
}

// List and entry sizes in bytes: where a list begins and ends, its neighbor, a value of a column.
const listBytes, neighborBytes, valueBytes = 8, 4, 8

// Entry is what an entry of a list takes of the budget, whatever its columns are.
func (s Sizes) Entry() uint64 { return uint64(neighborBytes + valueBytes*s.Columns + s.ConvertedEdge) }

// PartRoom is what a chunk that is put together takes beside its lists, at most.
func (s Sizes) PartRoom() uint64 { return uint64(2<<10 + 512*s.Columns) }

// Cost is what lists take of the budget, but for a header.
func (s Sizes) Cost(l cut.Selection) uint64 { return uint64(l.Bytes() + s.ConvertedEdge*l.Edges()) }

// SumRoom is what a slot has to have for chunks to be cut only where that changes no bit of a sum, however short lists
// are.
func (s Sizes) SumRoom() uint64 { return chunk.SumEdges * (listBytes + s.Entry()) }

// Longest is how many edges a vertex may have for its lists, of which it has so many, to fit so many bytes.
func (s Sizes) Longest(room uint64, lists int) uint64 {
	return (room - s.ListsCost(lists, 0)) / s.Entry()
}

// CutRoom is what a part of a chunk takes, at most, if it has a list of each of its vertices.
func (s Sizes) CutRoom(c Chunk) uint64 {
	return Aligned(uint64(c.Size) + 8*c.Info.Rows.Count + s.PartRoom())
}

// ListsCost is what so many lists with so many edges take of the budget, but for a header.
func (s Sizes) ListsCost(lists, edges int) uint64 {
	return listBytes*uint64(lists) + s.Entry()*uint64(edges)
}

// partHeader is what the header of a device's part of a chunk may take more than that of the chunk.
const partHeader = arena.Align

// DividedRoom is what the parts of a chunk take, at most, that so many devices are given, but for overlaps.
func (s Sizes) DividedRoom(c Chunk, devices int) uint64 {
	return Aligned(uint64(c.Size)) + uint64(devices)*Aligned(8+4*c.Info.Rows.Count+s.PartRoom())
}

// overlaps is what devices are given beside their own edges, at most, where sums are pulled: where a share ends within
// a chunk, the next begins with a sum (see cut.Rows).
func (s Sizes) overlaps(m *store.Manifest, devices int) uint64 {
	each := chunk.SumEdges * uint64(neighborBytes+valueBytes*s.Columns)
	return uint64(devices-1) * uint64(len(Directions(m))) * (each + listBytes*min(m.Vertices, chunk.SumEdges))
}
