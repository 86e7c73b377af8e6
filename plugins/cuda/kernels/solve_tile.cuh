// The rows of as many vertices as a block has threads are laid end to end, and the threads share the
// edges evenly, whatever the degrees (Merrill, Garland, Grimshaw, "Scalable GPU Graph Traversal",
// PPoPP 2012, section 4). Longer rows are put off in pieces, a block each: where vertices are numbered by degree,
// those of a block may all be long.
#pragma once

#include "solve_cover.cuh"
#include "solve_lists.cuh"

// A row of so many edges is put off, for it keeps all threads of a block busy by itself; in pieces of so many. If there is no
// room for those, it stays.
const u64 CUT = BLOCK;
const u64 PIECE = 4096;

// LongRow is a piece of a row that was put off, with what its vertex sends.
struct LongRow {
	const Chunk *chunk;
	u64 from, to;
	u64 sent;
};

struct LongRows {
	u64 *count; // how many were to be put off
	LongRow *rows;
	u64 room;

	// LongRows of solve.go has as many.
	__device__ __forceinline__ LongRows(const Program *program, u64 *count, LongRow *rows)
		: count(count), rows(rows), room(64 + program->vertices / 8) {}
};

// Tile is in shared memory.
struct Tile {
	u64 before[BLOCK]; // edges in the rows before each thread's
	const Chunk *chunk[BLOCK];
	u64 from[BLOCK];
	u64 sent[BLOCK];
};

// owner_of is the thread whose row has the e-th edge of the tile.
__device__ __forceinline__ u32 owner_of(const Tile *tile, u64 e) {
	u32 from = 0, to = BLOCK;
	while (to - from > 1) {
		u32 middle = (from + to) / 2;
		if (tile->before[middle] <= e) from = middle;
		else to = middle;
	}
	return from;
}

// places_for has a warp take places for its lanes' pieces by one addition.
__device__ __forceinline__ u64 places_for(u64 *count_, u64 pieces) {
	u64 upto = warp_scan(pieces), at = 0;
	if (lane() == WARP - 1) at = count(count_, upto);
	return __shfl_sync(EVERY_LANE, at, WARP - 1) + upto - pieces;
}

// put_off tells whether the row of this lane is put off. Places that do not suffice are left empty.
__device__ __forceinline__ bool put_off(LongRows longs, Segment row, u64 sent) {
	u64 length = row.to - row.from, pieces = length < CUT ? 0 : (length - 1) / PIECE + 1;
	if (__ballot_sync(EVERY_LANE, pieces > 0) == 0) return false;
	u64 at = places_for(longs.count, pieces);
	bool fits = at + pieces <= longs.room;
#pragma unroll 1
	for (u64 i = 0; i < pieces && at + i < longs.room; i++) {
		u64 from = row.from + i * PIECE, to = from + PIECE < row.to ? from + PIECE : row.to;
		longs.rows[at + i] = LongRow{row.chunk, from, fits ? to : from, sent};
	}
	return pieces > 0 && fits;
}

// lay lays this thread's row beside those of the block, and returns how many edges there are.
__device__ __forceinline__ u64 lay(Tile *tile, Segment row, u64 sent, LongRows longs) {
	u64 length = put_off(longs, row, sent) ? 0 : row.to - row.from, edges;
	tile->before[threadIdx.x] = block_scan(length, &edges);
	tile->chunk[threadIdx.x] = row.chunk;
	tile->from[threadIdx.x] = row.from;
	tile->sent[threadIdx.x] = sent;
	__syncthreads();
	return edges;
}

// visit_edges has the block look at all edges of its threads' vertices, in all chunks, but for those of
// rows that were put off. visit(within, chunk, edge, sent) is called by all threads of a warp at a
// time; where within is false there is no edge. All threads of the block are to call visit_edges, some
// or not; it returns how many edges this thread's vertex has, of rows put off as well.
template <typename Visit>
__device__ __forceinline__ u64 visit_edges(Tile *tile, const Cover *cover, bool some, u64 v, u64 sent, LongRows longs, Visit &&visit) {
	Members members = some ? members_of(cover, v) : Members{0, 0};
	u64 rounds = block_fold(members.count, [](u64 a, u64 b) { return a > b ? a : b; });
	u64 degree = 0;
	for (u64 k = 0; k < rounds; k++) {
		Segment row = k < members.count ? segment_of(cover, members, k, v) : Segment{0, 0, 0};
		degree += row.to - row.from;
		u64 edges = lay(tile, row, sent, longs);
		for (u64 base = 0; base < edges; base += BLOCK) {
			u64 e = base + threadIdx.x;
			bool within = e < edges;
			u32 owner = within ? owner_of(tile, e) : 0;
			visit(within, tile->chunk[owner], tile->from[owner] + (e - tile->before[owner]), tile->sent[owner]);
		}
		__syncthreads();
	}
	return degree;
}

// visit_long has the grid look at the edges of rows that were put off, a piece a block.
template <typename Visit>
__device__ __forceinline__ void visit_long(LongRows longs, Visit &&visit) {
	u64 pieces = *longs.count < longs.room ? *longs.count : longs.room;
	for (u64 i = blockIdx.x; i < pieces; i += gridDim.x) {
		LongRow row = longs.rows[i];
		for (u64 base = row.from; base < row.to; base += BLOCK) {
			u64 edge = base + threadIdx.x;
			visit(edge < row.to, row.chunk, edge, row.sent);
		}
	}
}
