// Connected components by Afforest (Sutton, Ben-Nun, Barak, "Optimizing Parallel Graph Connectivity
// Computation via Subgraph Sampling", IPDPS 2018): few edges of each vertex join most of the largest
// component; the others are looked at only from vertices outside it. A forest only ever points down, to
// lower vertices, so it has no cycles.
//
//	solve_forest_plant        each vertex is its own root
//	solve_forest_hook         each below its first neighbour, if that is lower
//	solve_forest_flatten      each below its root
//	solve_forest_link         each with its k-th neighbour
//	solve_forest_frequent     the root that a sample has most of
//	solve_forest_rest, _long  those with another root, with all
//	solve_forest_key, _collect, _settle   the best first value of a tree is that of all in it
#pragma once

#include "keys.cuh"
#include "solve_tile.cuh"

struct Forest {
	u64 largest; // the root of the largest component, likely
	u64 looked;  // edges
	u64 longs;
};

__device__ __forceinline__ u32 parent_of(const u32 *parent, u32 v) { return *(const volatile u32 *)&parent[v]; }

// link joins the trees of u and v: the higher root goes below the lower one.
__device__ __forceinline__ void link(u32 *parent, u32 u, u32 v) {
	u32 a = parent_of(parent, u), b = parent_of(parent, v);
	while (a != b) {
		u32 low = a < b ? a : b, high = a < b ? b : a;
		u32 above = parent_of(parent, high);
		if (above == low || (above == high && atomicCAS(&parent[high], high, low) == high)) return;
		a = parent_of(parent, above);
		b = parent_of(parent, low);
	}
}

// root_of points v at its root, while nobody links.
__device__ __forceinline__ u32 root_of(u32 *parent, u32 v) {
	u32 first = parent_of(parent, v), root = first;
	for (u32 above = parent_of(parent, root); above != root; above = parent_of(parent, root)) root = above;
	if (root != first) *(volatile u32 *)&parent[v] = root;
	return root;
}

extern "C" __global__ void solve_forest_plant(const Program *program, u32 *parent) {
	for (u64 v = first_index(); v < program->vertices; v += stride()) parent[v] = (u32)v;
}

// solve_forest_hook looks at the first edge of each row. Rows ascend, so it leads to the lowest neighbour,
// which is likely to be below all others.
extern "C" __global__ void solve_forest_hook(const Program *program, const Cover *cover, Forest *forest, u32 *parent) {
	u64 looked = 0;
	for (u64 v = first_index(); v < program->vertices; v += stride()) {
		Members members = members_of(cover, v);
		u64 lowest = v;
		for (u64 i = 0; i < members.count; i++) {
			Segment row = segment_of(cover, members, i, v);
			if (row.from == row.to) continue;
			u64 first = target_of(row.chunk, row.from);
			if (first < lowest) lowest = first;
			looked++;
		}
		if (lowest < v) parent[v] = (u32)lowest;
	}
	tally(&forest->looked, looked);
}

extern "C" __global__ void solve_forest_flatten(const Program *program, u32 *parent) {
	for (u64 v = first_index(); v < program->vertices; v += stride()) root_of(parent, (u32)v);
}

extern "C" __global__ void solve_forest_link(const Program *program, const Cover *cover, Forest *forest, u32 *parent, u64 k) {
	u64 looked = 0;
	for (u64 v = first_index(); v < program->vertices; v += stride()) {
		Members members = members_of(cover, v);
		for (u64 i = 0; i < members.count; i++) {
			Segment row = segment_of(cover, members, i, v);
			if (row.from + k >= row.to) continue;
			link(parent, (u32)v, (u32)(target_of(row.chunk, row.from + k)));
			looked++;
		}
	}
	tally(&forest->looked, looked);
}

// solve_forest_frequent asks as many evenly spread vertices as a block has threads. A wrong answer costs
// time and nothing else. It is for one block.
extern "C" __global__ void solve_forest_frequent(const Program *program, Forest *forest, const u32 *parent) {
	__shared__ u32 roots[BLOCK];
	__shared__ u64 best;
	u32 root = parent[threadIdx.x * program->vertices / BLOCK], votes = 0;
	roots[threadIdx.x] = root;
	if (threadIdx.x == 0) best = 0;
	__syncthreads();
	for (u32 i = 0; i < BLOCK; i++) votes += roots[i] == root;
	atomicMax(&best, (u64)votes << 32 | root);
	__syncthreads();
	if (threadIdx.x == 0) forest->largest = best & 0xffffffffu;
}

extern "C" __global__ void solve_forest_rest(const Program *program, const Cover *cover, Forest *forest, u32 *parent, LongRow *rows) {
	__shared__ Tile tile;
	u64 looked = 0;
	for (u64 base = (u64)blockIdx.x * BLOCK; base < program->vertices; base += stride()) {
		u64 v = base + threadIdx.x;
		bool some = v < program->vertices && parent_of(parent, (u32)v) != (u32)forest->largest;
		looked += visit_edges(&tile, cover, some, v, v, LongRows(program, &forest->longs, rows), [&](bool within, const Chunk *chunk, u64 edge, u64 from) {
			if (within) link(parent, (u32)from, (u32)(target_of(chunk, edge)));
		});
	}
	tally(&forest->looked, looked);
}

extern "C" __global__ void solve_forest_long(const Program *program, Forest *forest, u32 *parent, LongRow *rows) {
	visit_long(LongRows(program, &forest->longs, rows), [&](bool within, const Chunk *chunk, u64 edge, u64 from) {
		if (within) link(parent, (u32)from, (u32)(target_of(chunk, edge)));
	});
}

__device__ __forceinline__ i64 key_of_state(const Program *program, u64 v) {
	return key_of(program->first_type, load((const u64 *)program->columns[COLUMN_STATE] + v), flip_of(program->reduce));
}

// solve_forest_key has the accumulators hold the keys of the first column.
extern "C" __global__ void solve_forest_key(const Program *program) {
	for (u64 v = first_index(); v < program->vertices; v += stride()) program->acc[v] = (u64)key_of_state(program, v);
}

// solve_forest_collect points every vertex at its root, and gives that the least key of its tree.
extern "C" __global__ void solve_forest_collect(const Program *program, u32 *parent) {
	i64 *keys = (i64 *)program->acc;
	for (u64 v = first_index(); v < program->vertices; v += stride()) {
		u32 root = root_of(parent, (u32)v);
		if (root != v) lower(&keys[root], keys[v]);
	}
}

// solve_forest_settle gives each vertex what its root has, where that is another key: a NaN keeps its bits.
extern "C" __global__ void solve_forest_settle(const Program *program, const u32 *parent) {
	u64 *state = (u64 *)program->columns[COLUMN_STATE];
	for (u64 v = first_index(); v < program->vertices; v += stride()) {
		i64 key = (i64)program->acc[parent[v]];
		if (key != key_of_state(program, v)) store(state + v, value_of(program->first_type, key, flip_of(program->reduce)));
	}
}

// solve_forest_forget empties the accumulators.
extern "C" __global__ void solve_forest_forget(const Program *program) {
	for (u64 v = first_index(); v < program->vertices; v += stride()) program->acc[v] = nothing(program);
}
