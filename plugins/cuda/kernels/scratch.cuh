// Scratch is what kernels of the template use between one another; scratch.go has its size.
#pragma once
#include "block.cuh"
#include "memory.cuh"

// Tally is what a block has counted and summed.
struct Tally {
	u64 count;
	f64 sum;
};

// TALLIES is the most blocks of a kernel that sums over vertices. It is the same on every card, and so are sums.
const u32 TALLIES = 1024;

// PIECE is how many edges of a long row one block takes.
const u32 PIECE = 4096;

// CUT is from how many edges on a row leaves its tile: one that has as many as the block has threads keeps all of them busy by itself.
const u32 CUT = 256;

// Piece is a part of a row: edges index * PIECE and those after it.
struct Piece {
	u32 row, index;
};

struct Scratch {
	Chunk neutral; // of one edge that leaves every message as it is
	u64 weight;    // of that edge
	u64 pieces;    // of the chunk under way
	u64 rows;      // of it that were set aside
	u64 room;      // for both of them
	Piece *piece;  // from the first on; from the last on the rows
	u64 *partial; // what came of each piece; where rows send, its chunk
	Tally tallies[TALLIES];
};
static_assert(sizeof(Scratch) == 16616 && __builtin_offsetof(Scratch, pieces) == 192, "scratch.go says so");

// set_aside adds a row to the list of those for a warp.
__device__ __forceinline__ void set_aside(Scratch *s, u64 row) {
	u64 at = count(&s->rows, 1);
	store(&s->piece[s->room - 1 - at].row, (u32)row);
}

__device__ __forceinline__ u64 row_aside(const Scratch *s, u64 i) { return load(&s->piece[s->room - 1 - i].row); }

// cut adds a long row to the list of pieces, and gives the first's place. Those of a row stand one after another.
__device__ inline u64 cut(Scratch *s, u64 row, u32 degree) {
	u32 parts = (degree - 1) / PIECE + 1;
	u64 at = count(&s->pieces, parts);
#pragma unroll 1
	for (u32 i = 0; i < parts; i++) {
		store(&s->piece[at + i].row, (u32)row);
		store(&s->piece[at + i].index, i);
	}
	return at;
}
