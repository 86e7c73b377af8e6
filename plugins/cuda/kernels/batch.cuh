// A batch is the chunks that one launch goes along: a launch takes as long as many a chunk does.
#pragma once
#include "block.cuh"

const u32 BATCH = 16; // batchChunks of batch.go

// BATCH_CHUNKS are the parameters of a kernel that takes a batch, and BATCH_LIST is them. Those behind the last chunk are 0.
#define BATCH_CHUNKS                                                                                                   \
	const Chunk *c0, const Chunk *c1, const Chunk *c2, const Chunk *c3, const Chunk *c4, const Chunk *c5, const Chunk *c6, \
		const Chunk *c7, const Chunk *c8, const Chunk *c9, const Chunk *c10, const Chunk *c11, const Chunk *c12,           \
		const Chunk *c13, const Chunk *c14, const Chunk *c15
#define BATCH_LIST {c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15}

// Batch is those chunks, and how many tiles those before each have. It is in shared memory.
struct Batch {
	const Chunk *chunk[BATCH];
	u32 before[BATCH], tiles;
};

// gather fills b, by the whole block.
__device__ __forceinline__ void gather(Batch &b, const Chunk *const (&chunks)[BATCH]) {
	if (warp() == 0) {
		const Chunk *mine = 0;
		for (u32 i = 0; i < BATCH; i++) {
			mine = lane() == i ? chunks[i] : mine;
		}
		u32 tiles = mine ? (u32)((mine->rows + BLOCK - 1) / BLOCK) : 0;
		u32 upto = warp_scan(tiles);
		if (lane() < BATCH) {
			b.chunk[lane()] = mine;
			b.before[lane()] = upto - tiles;
		}
		if (lane() == BATCH - 1) {
			b.tiles = upto;
		}
	}
	__syncthreads();
}

// chunk_of is which chunk of the batch a tile of it is of.
__device__ __forceinline__ u32 chunk_of(const Batch &b, u32 tile) {
	u32 slot = 0;
	for (u32 step = BATCH / 2; step > 0; step /= 2) {
		slot += b.before[slot + step] <= tile ? step : 0;
	}
	return slot;
}
