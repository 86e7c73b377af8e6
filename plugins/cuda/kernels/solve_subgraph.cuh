// The subgraph of active vertices, made by the card itself of a chunk that lies in the host's memory: rows of
// others do not cross the link (Sabet, Zhao, Gupta, "Subway: Minimizing Data Transfer during Out-of-GPU-Memory
// Graph Processing", EuroSys 2020, section 3.1; lists are read in place, side by side, as in Min et al., "EMOGI:
// Efficient Memory-access for Out-of-memory Graph-traversal in GPUs", VLDB 2020).
//
//	solve_subgraph_count   the rows wanted, and how many and how long they are in each tile of rows
//	solve_subgraph_scan    where those of each tile come to lie
//	solve_subgraph_place   vertices and offsets
//	solve_subgraph_copy    neighbours and columns, an edge a thread
#pragma once

#include "solve_lists.cuh"

// Subgraph is how large one is.
struct Subgraph {
	u64 rows, edges;
	u64 invalid; // not 0: offsets do not ascend, or lead beyond the chunk
};

// Wanted is a row of a chunk: its list, empty where its vertex is not active.
struct Wanted {
	u32 from, degree;
};

__device__ __forceinline__ u32 local_of(const Chunk *chunk, u64 row) { return chunk->vertices ? load(chunk->vertices + row) : (u32)row; }

__device__ __forceinline__ Wanted wanted_of(const Chunk *chunk, u64 row, const u32 *active, Subgraph *sub) {
	if (row >= chunk->rows || !has(active, chunk->rows_base + local_of(chunk, row))) return Wanted{0, 0};
	i64 from = load(chunk->offsets + row), to = load(chunk->offsets + row + 1);
	if (0 <= from && from <= to && to <= (i64)chunk->edges) return Wanted{(u32)from, (u32)(to - from)};
	atomicOr(&sub->invalid, (u64)1);
	return Wanted{0, 0};
}

// A tile of rows is as many as a block has threads; sizes are those of each tile, and then of all before it.
extern "C" __global__ void solve_subgraph_count(const Chunk *chunk, const u32 *active, Subgraph *sub, Wanted *wanted, Subgraph *sizes) {
	u64 tiles = (chunk->rows + BLOCK - 1) / BLOCK;
	for (u64 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
		u64 row = tile * BLOCK + threadIdx.x;
		Wanted w = wanted_of(chunk, row, active, sub);
		if (row < chunk->rows) wanted[row] = w;
		u64 rows = block_sum((u64)(w.degree > 0)), edges = block_sum((u64)w.degree);
		if (threadIdx.x == 0) sizes[tile] = Subgraph{rows, edges, 0};
	}
}

// It is for one block.
extern "C" __global__ void solve_subgraph_scan(const Chunk *chunk, Subgraph *sub, Subgraph *sizes) {
	u64 tiles = (chunk->rows + BLOCK - 1) / BLOCK, rows = 0, edges = 0;
	for (u64 base = 0; base < tiles; base += BLOCK) {
		u64 tile = base + threadIdx.x, allRows, allEdges;
		Subgraph size = tile < tiles ? sizes[tile] : Subgraph{0, 0, 0};
		u64 rowsBefore = rows + block_scan(size.rows, &allRows), edgesBefore = edges + block_scan(size.edges, &allEdges);
		if (tile < tiles) sizes[tile] = Subgraph{rowsBefore, edgesBefore, 0};
		rows += allRows;
		edges += allEdges;
	}
	if (threadIdx.x == 0) {
		sub->rows = rows;
		sub->edges = edges;
	}
}

// solve_subgraph_place gives `to` its vertices and offsets, and remembers where each list is.
extern "C" __global__ void solve_subgraph_place(const Chunk *chunk, const Subgraph *sub, const Wanted *wanted, const Subgraph *sizes, Chunk *to, u32 *froms) {
	u64 tiles = (chunk->rows + BLOCK - 1) / BLOCK;
	u32 *vertices = (u32 *)to->vertices;
	i32 *offsets = (i32 *)to->offsets;
	for (u64 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
		u64 row = tile * BLOCK + threadIdx.x, rows, edges;
		Wanted w = row < chunk->rows ? wanted[row] : Wanted{0, 0};
		u64 place = sizes[tile].rows + block_scan((u64)(w.degree > 0), &rows), at = sizes[tile].edges + block_scan((u64)w.degree, &edges);
		if (w.degree == 0) continue;
		store(vertices + place, local_of(chunk, row));
		store(offsets + place, (i32)at);
		store(froms + place, w.from);
	}
	if (first_index() != 0) return;
	offsets[sub->rows] = (i32)sub->edges;
	to->rows = sub->rows;
	to->edges = sub->edges;
	to->rows_base = chunk->rows_base;
	to->cols_base = chunk->cols_base;
}

// row_of_edge is the row that the e-th edge is of.
__device__ __forceinline__ u64 row_of_edge(const Chunk *chunk, u64 e) {
	u64 from = 0, to = chunk->rows;
	while (to - from > 1) {
		u64 middle = (from + to) / 2;
		if ((u64)load(chunk->offsets + middle) <= e) from = middle;
		else to = middle;
	}
	return from;
}

extern "C" __global__ void solve_subgraph_copy(const Chunk *chunk, const Chunk *to, const u32 *froms, u64 columns) {
	for (u64 e = first_index(); e < to->edges; e += stride()) {
		u64 row = row_of_edge(to, e), source = load(froms + row) + (e - (u64)load(to->offsets + row));
		store((u32 *)to->neighbors + e, load(chunk->neighbors + source));
		for (u64 i = 0; i < columns; i++) store((f64 *)to->columns[i] + e, load(chunk->columns[i] + source));
	}
}
