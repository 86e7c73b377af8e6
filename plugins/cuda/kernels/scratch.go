package kernels

import "math"

const (
	tallies    = 1024  // TALLIES of scratch.cuh
	pieceEdges = 4096  // PIECE
	cutEdges   = 256   // CUT
	headBytes  = 16616 // sizeof(Scratch)
	piecesAt   = 192   // where its pieces are, and then its rows
	pieceBytes = 8 + 8 // a Piece, and what came of it
)

// pieces is the most that the long rows of a chunk of so many edges are cut in: each has pieceEdges edges
// or more, so that rounding up at most doubles them.
func pieces(edges uint64) uint64 { return min(edges, math.MaxInt32) / pieceEdges * 2 }

// cuts is the most pieces and rows that leave their tiles: one for so many edges at most.
func cuts(edges uint64) uint64 { return min(edges, math.MaxInt32) / cutEdges }

// Scratch is the size of what kernels of a Template use between one another (State.Scratch), where no chunk has
// more edges than that. They all use the same.
func Scratch(edges uint64) uint64 { return headBytes + cuts(edges)*pieceBytes }
