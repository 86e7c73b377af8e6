package kernels

import (
	"errors"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// Subgraph is solve_subgraph.cuh's: how large one is.
type Subgraph struct {
	Rows, Edges uint64
	Invalid     uint64 // not 0: the chunk's offsets do not ascend, or lead beyond it
}

// What solve_subgraph.cuh has for each row, and for each tile of Block rows.
const (
	wantedBytes = 8 // Wanted
	fromBytes   = 4
	sizeBytes   = 24 // Subgraph
)

// SubgraphScratch is what CountSubgraph and GatherSubgraph need for a chunk of so many rows, in bytes.
func SubgraphScratch(rows uint64) uint64 {
	return (wantedBytes+fromBytes)*rows + sizeBytes*tiles(rows) + 8
}

func tiles(rows uint64) uint64 { return (rows + Block - 1) / Block }

// Cut is a subgraph under way: the rows of a chunk whose vertices are in a set, as a chunk of its own. The chunk may
// lie in pinned memory of the host: but for offsets (and vertices, where it leaves some out) only what is wanted
// crosses the link. Both chunks are given by their structures on the card.
type Cut struct {
	From    driver.Pointer // the Chunk
	Rows    uint64         // of it
	Set     driver.Pointer // a bitmap of vertices
	Size    driver.Pointer // where to write the Subgraph
	Scratch driver.Pointer // of SubgraphScratch(Rows), at a multiple of 8
}

func (c Cut) sizes() driver.Pointer  { return c.Scratch }
func (c Cut) wanted() driver.Pointer { return c.sizes() + driver.Pointer(sizeBytes*tiles(c.Rows)) }
func (c Cut) froms() driver.Pointer  { return c.wanted() + driver.Pointer(wantedBytes*c.Rows) }

// CountSubgraph finds the rows that are wanted and tells how many they are, with how many edges.
func (k *Solve) CountSubgraph(s driver.Stream, c Cut) error {
	return errors.Join(
		s.Fill8(c.Size, 0, sizeBytes),
		k.Launch(s, "subgraph_count", grid(c.Rows), uint64(c.From), uint64(c.Set), uint64(c.Size), uint64(c.wanted()),
			uint64(c.sizes())),
		k.Launch(s, "subgraph_scan", 1, uint64(c.From), uint64(c.Size), uint64(c.sizes())))
}

// GatherSubgraph follows CountSubgraph, which has found so many edges. The Chunk at `to` has room for vertices,
// offsets, neighbors and so many columns; what else is in it is set.
func (k *Solve) GatherSubgraph(s driver.Stream, c Cut, to driver.Pointer, edges, columns uint64) error {
	return errors.Join(
		k.Launch(s, "subgraph_place", grid(c.Rows), uint64(c.From), uint64(c.Size), uint64(c.wanted()), uint64(c.sizes()),
			uint64(to), uint64(c.froms())),
		k.Launch(s, "subgraph_copy", grid(edges), uint64(c.From), uint64(to), uint64(c.froms()), columns))
}
