// Brandes's algorithm, level by level: numbers of shortest paths away from the source, then dependencies from the
// last level back. Both are sums over a vertex's own list, so that nothing is added in another order another time.
//
//	paths(v) = Σ paths(u)                    over u→v with u a level before v
//	δ(u) = paths(u) · Σ share(v)             over u→v with v a level after u;  share(v) = (1 + δ(v)) / paths(v)
//
// Several sources are searched from at once, so that the card has enough to do: each has its own copy of the
// vertices (Work in procedure_lists.cuh), and all arrays but the result are of copies.
//
// (Brandes 2001; McLaughlin and Bader, "Scalable and high performance betweenness centrality on the GPU", 2014.)
#pragma once

#include "procedure_lists.cuh"

const u32 UNREACHED = NONE;

// procedure_betweenness_begin reaches the sources, each in its copy.
extern "C" __global__ void procedure_betweenness_begin(const u32 *sources, u64 count, u64 vertices, u32 *levels, f64 *paths, u32 *reached) {
	for (u64 i = thread(); i < count; i += threads()) {
		u64 source = i * vertices + sources[i];
		levels[source] = 0;
		paths[source] = 1;
		reached[i] = (u32)source;
	}
}

// procedure_betweenness_discover finds the vertices of the level after that of items.
extern "C" __global__ void procedure_betweenness_discover(const u64 *offsets, const u32 *neighbors, const u32 *items, u64 count, u32 *longs, u64 *long_count, u64 wide, u64 vertices,
	u64 level, u32 *levels, u32 *reached, u64 *reached_count) {
	expand({offsets, neighbors}, {items, count, longs, long_count, wide, vertices}, [=](bool live, u32, u32 first, u64 at) {
		u32 u = live ? first + neighbors[at] : 0;
		bool fresh = live && levels[u] == UNREACHED && atomicCAS(&levels[u], UNREACHED, (u32)level + 1) == UNREACHED;
		append(reached, reached_count, fresh, u);
	});
}

// procedure_betweenness_count counts the paths to items, which are of a level. Numbers beyond the doubles are told.
extern "C" __global__ void procedure_betweenness_count(const u64 *offsets, const u32 *neighbors, const u32 *items, u64 count, u32 *longs, u64 *long_count, u64 wide, u64 vertices,
	u64 level, const u32 *levels, f64 *paths, u64 *overflow) {
	sum({offsets, neighbors}, {items, count, longs, long_count, wide, vertices},
		[=](u32 first, u64 at) { return levels[first + neighbors[at]] + 1 == (u32)level ? paths[first + neighbors[at]] : 0.0; },
		[=](u32 v, f64 sum) {
			paths[v] = sum;
			if (sum > 1.7976931348623157e308)
				*overflow = 1;
		});
}

// procedure_betweenness_depend adds to the centrality of items, which are of a level, what depends on them.
extern "C" __global__ void procedure_betweenness_depend(const u64 *offsets, const u32 *neighbors, const u32 *items, u64 count, u32 *longs, u64 *long_count, u64 wide, u64 vertices,
	u64 level, const u32 *levels, const f64 *paths, f64 *shares, f64 *centrality) {
	sum({offsets, neighbors}, {items, count, longs, long_count, wide, vertices},
		[=](u32 first, u64 at) { return levels[first + neighbors[at]] == (u32)level + 1 ? shares[first + neighbors[at]] : 0.0; },
		[=](u32 v, f64 sum) {
			centrality[v] += paths[v] * sum;
			shares[v] = 1 / paths[v] + sum;
		});
}

// procedure_betweenness_add adds up the copies, in order.
extern "C" __global__ void procedure_betweenness_add(u64 vertices, u64 copies, const f64 *copied, u64 scale, f64 *centrality) {
	for (u64 v = thread(); v < vertices; v += threads()) {
		f64 sum = 0;
		for (u64 copy = 0; copy < copies; copy++)
			sum += copied[copy * vertices + v];
		centrality[v] = sum * *(f64 *)&scale;
	}
}
