// The rows of as many vertices as a block has threads are laid end to end, and the threads share the
// edges evenly, whatever the degrees (Merrill, Garland, Grimshaw, "Scalable GPU Graph Traversal",
// PPoPP 2012, section 4). Rows too long for a block are put off: the whole grid shares those.
#pragma once

#include "solve_cover.cuh"
#include "solve_lists.cuh"

// A row of so many edges is put off. No more than so many are at a time; the others stay.
const u64 LONG = 8192;
const u64 LONG_ROWS = 1 << 15;

// LongRow is a row that was put off, with what its vertex sends.
struct LongRow {
	const Chunk *chunk;
	u64 from, to;
	u64 sent;
};

struct LongRows {
	u64 *count; // how many were to be put off
	LongRow *rows;
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

__device__ __forceinline__ bool put_off(LongRows longs, Segment row, u64 sent) {
	if (row.to - row.from < LONG) return false;
	u64 at = count(longs.count, 1);
	if (at >= LONG_ROWS) return false;
	longs.rows[at] = LongRow{row.chunk, row.from, row.to, sent};
	return true;
}

// lay lays this thread's row beside those of the block, and returns how many edges there are.
__device__ __forceinline__ u64 lay(Tile *tile, Segment row, u64 sent, LongRows longs) {
	u64 length = row.to - row.from;
	if (length > 0 && put_off(longs, row, sent)) length = 0;
	u64 edges;
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

// visit_long has the whole grid look at the edges of rows that were put off.
template <typename Visit>
__device__ __forceinline__ void visit_long(LongRows longs, Visit &&visit) {
	u64 rows = *longs.count < LONG_ROWS ? *longs.count : LONG_ROWS;
	for (u64 i = 0; i < rows; i++) {
		LongRow row = longs.rows[i];
		u64 block = (blockIdx.x + i) % gridDim.x; // so that short remainders are not all the first blocks'
		for (u64 base = row.from + block * BLOCK; base < row.to; base += stride()) {
			u64 edge = base + threadIdx.x;
			visit(edge < row.to, row.chunk, edge, row.sent);
		}
	}
}
