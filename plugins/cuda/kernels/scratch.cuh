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

// Piece is a part of a row: edges index * PIECE and those after it.
struct Piece {
	u32 row, index;
};

struct Scratch {
	Chunk neutral; // of one edge that leaves every message as it is
	u64 weight;    // of that edge
	u64 pieces;    // of the chunk under way
	Piece *piece;
	u64 *partial; // what came of each piece; where rows send, its chunk
	Tally tallies[TALLIES];
};
static_assert(sizeof(Scratch) == 16600 && __builtin_offsetof(Scratch, pieces) == 192, "scratch.go says so");

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
