// Chunks are joined to one CSR of all vertices: lists are found by a vertex's number alone, and stand whole.
#pragma once

#include "procedure_lists.cuh"

__device__ static u64 vertex(const Chunk *c, u64 row) { return c->rows_base + (c->vertices ? c->vertices[row] : row); }

// procedure_join_count adds the lengths of a chunk's lists to those of its vertices.
extern "C" __global__ void procedure_join_count(const Chunk *c, u32 *lengths) {
	for (u64 row = thread(); row < c->rows; row += threads())
		lengths[vertex(c, row)] += (u32)(c->offsets[row + 1] - c->offsets[row]);
}

// procedure_join_copy puts a chunk's entries behind those of their vertices' lists that are there: so many.
extern "C" __global__ void procedure_join_copy(const Chunk *c, const u64 *offsets, const u32 *filled, u32 *neighbors) {
	for (u64 entry = thread(); entry < c->edges; entry += threads()) {
		u64 row = owner(c->offsets, c->rows, entry), v = vertex(c, row);
		neighbors[offsets[v] + filled[v] + (entry - (u64)c->offsets[row])] = (u32)(c->cols_base + c->neighbors[entry]);
	}
}

// procedure_join_longest finds the length of the longest list.
extern "C" __global__ void procedure_join_longest(u64 vertices, const u64 *offsets, u64 *longest) {
	for (u64 v = thread(); v < vertices; v += threads())
		if (offsets[v + 1] - offsets[v] > *longest)
			atomicMax(longest, offsets[v + 1] - offsets[v]);
}

// procedure_iota makes values 0, 1, 2 …
extern "C" __global__ void procedure_iota(u64 count, u32 *values) {
	for (u64 i = thread(); i < count; i += threads())
		values[i] = (u32)i;
}
