// A tile is BLOCK rows of a chunk, one for each thread of a block. Rows differ in length by orders of magnitude
// (few have most of the edges), so threads share out the edges of all of them instead (Merrill, Garland,
// Grimshaw, "Scalable GPU Graph Traversal", PPoPP'12, section 5: scan-based gathering).
#pragma once
#include "bitmap.cuh"
#include "block.cuh"
#include "memory.cuh"

// Row is a row of a chunk: its vertex, and where its list lies.
struct Row {
	u64 vertex;
	u32 first, degree;
};

__device__ __forceinline__ u64 vertex_of(const Chunk *c, u64 row) {
	return c->rows_base + (c->vertices ? __ldg(c->vertices + row) : row);
}

// find_list completes a row by its list.
__device__ __forceinline__ void find_list(const Chunk *c, u64 row, Row *r) {
	r->first = (u32)__ldg(c->offsets + row);
	r->degree = (u32)__ldg(c->offsets + row + 1) - r->first;
}

// row_of is a row, empty if there is none.
__device__ __forceinline__ Row row_of(const Chunk *c, u64 row) {
	Row r = {};
	if (row < c->rows) {
		r.vertex = vertex_of(c, row);
		find_list(c, row, &r);
	}
	return r;
}

// sending_row is a row, empty if its vertex is none of the senders.
__device__ __forceinline__ Row sending_row(const Chunk *c, u64 row, const u64 *senders) {
	Row r = {};
	if (row < c->rows) {
		r.vertex = vertex_of(c, row);
		if (contains(senders, r.vertex)) {
			find_list(c, row, &r);
		}
	}
	return r;
}

// Tile is where the lists of BLOCK rows lie, and how many edges are in those before each. It is in shared memory.
struct Tile {
	u32 first[BLOCK], before[BLOCK];
};

// lay puts the row of each thread into the tile, and gives the number of edges of all.
__device__ __forceinline__ u32 lay(Tile &t, u32 first, u32 degree) {
	u32 edges;
	t.before[threadIdx.x] = block_scan(degree, &edges);
	t.first[threadIdx.x] = first;
	__syncthreads();
	return edges;
}

// slot_of is which row of the tile its edge number e is of.
__device__ __forceinline__ u32 slot_of(const Tile &t, u32 e) {
	u32 slot = 0;
	for (u32 step = BLOCK / 2; step > 0; step /= 2) {
		slot += t.before[slot + step] <= e ? step : 0;
	}
	return slot;
}

// edge_of is where in the chunk that edge is.
__device__ __forceinline__ u32 edge_of(const Tile &t, u32 slot, u32 e) { return t.first[slot] + (e - t.before[slot]); }
