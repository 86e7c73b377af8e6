// Package solve runs programs of some shapes to their end by an algorithm of their own, on one card on which all
// chunks are resident. It knows them by what they compute, never by their name (shape.go); package cpu has
// solvers of the same shapes.
//
//	flood     all who send hold one value: breadth-first by levels, top down or bottom up   (flood.go)
//	forest    the first column as it is, both ways: Afforest                                (forest.go)
//	nearFar   the least of first column and weight added up: near and far                   (nearfar.go)
//	sums      doubles added up, of an edge's weight at most: all chunks in one launch       (sums.go)
//
// The kernels are kernels/solve_*.cuh. What a round needs of the one before stays on the card: launches follow each
// other, and the host reads one small structure at the end of a level, or of some rounds, to see how far it is and
// which way to go on. A result has the same bits as that of Step and Apply by turns: values are chosen, never added up
// in an order of arrival; and sums have the order that Step gives them. Where only the last state counts, a level is
// not always told of.
//
// # Chunks
//
// A vertex may have rows in several chunks. The vertices are cut into bands of which all have theirs in the same
// chunks (cover.go); a kernel finds a row by the band, and where a chunk leaves vertices out, by a search in it.
//
// # Subgraphs
//
// Beside the solvers, solve.cu has kernels that cut a chunk in pinned memory of the host to the rows of active
// vertices: counted, placed by prefix sums and copied by the card itself, as Subway does it (kernels/subgraph.go).
//
// # Balance
//
// The rows of as many vertices as a block has threads are laid end to end and shared by the threads; a row of 256 edges
// or more is put off, in pieces that the blocks of the whole grid share (solve_tile.cuh).
//
// # Memory
//
// A solver is given its Scratch: flood 4 bytes and a bit a vertex, forest 4 bytes, nearFar 8 bytes and two bits; each 2
// KiB and 4 bytes for rows that are put off, and 64 KiB and a quarter of a byte a vertex for where the rows of bands
// are. sums take 24 bytes for every 2048 edges of the lists and 8 for every 256, and those 64 KiB and quarters. Where
// that is not enough, Run answers false.
package solve
