// Strongly connected components. Trimming takes vertices away that no edge enters or none leaves. Then, round
// by round, colours spread along edges, the least one winning; a vertex that has kept its own is a root, and the
// vertices of its colour that reach it are its component. A component lies within a colour, so that the next
// round spreads nothing between colours. The first round has one root, amid the giant component: it is forward
// and backward search. (Fleischer, Hendrickson, Pınar 2000; Orzan 2004; Barnat et al., "Computing strongly
// connected components in parallel on CUDA", 2011; Slota, Rajamanickam, Madduri 2014.)
#pragma once

#include "procedure_lists.cuh"

// procedure_scc_others counts the entries of each vertex's list that name another.
extern "C" __global__ void procedure_scc_others(u64 vertices, const u64 *offsets, const u32 *neighbors, u32 *others) {
	for (u64 v = thread(); v < vertices; v += threads()) {
		u64 begin = find(neighbors, offsets[v], offsets[v + 1], (u32)v, ALL);
		u64 end = find(neighbors, begin, offsets[v + 1], (u32)v + 1, ALL);
		others[v] = (u32)(offsets[v + 1] - offsets[v] - (end - begin));
	}
}

// procedure_scc_alone begins trimming: who has no entering or no leaving edges is a component.
extern "C" __global__ void procedure_scc_alone(u64 vertices, const u32 *entering, const u32 *leaving, u32 *component, u32 *trimmed, u64 *trimmed_count) {
	for (u64 base = thread() - lane(); base < vertices; base += threads()) {
		u64 v = base + lane();
		bool alone = v < vertices && (entering[v] == 0 || leaving[v] == 0);
		if (alone)
			component[v] = (u32)v;
		append(trimmed, trimmed_count, alone, (u32)v);
	}
}

// procedure_scc_trim takes the edges of trimmed vertices off the counts of those they lead to. Who has none left
// is trimmed next.
extern "C" __global__ void procedure_scc_trim(const u64 *offsets, const u32 *neighbors, const u32 *items, u64 count, u32 *longs, u64 *long_count, u64 wide, u64 vertices,
	u32 *counts, u32 *component, u32 *next, u64 *next_count) {
	expand({offsets, neighbors}, {items, count, longs, long_count, wide, vertices}, [=](bool live, u32 v, u32, u64 at) {
		u32 u = live ? neighbors[at] : v;
		bool last = u != v && atomicSub(&counts[u], 1u) == 1;
		bool alone = last && atomicCAS(&component[u], NONE, u) == NONE;
		append(next, next_count, alone, u);
	});
}

// procedure_scc_pivot finds the vertex without a component that the most ways lead through, of several the first:
// best is the greatest of ways, up to 2³²-1, and 2³²-1 less the vertex; 0 when all have a component.
extern "C" __global__ void procedure_scc_pivot(u64 vertices, const u32 *entering, const u32 *leaving, const u32 *component, u64 *best) {
	for (u64 v = thread(); v < vertices; v += threads()) {
		if (component[v] != NONE)
			continue;
		u64 ways = (u64)entering[v] * leaving[v];
		u64 key = (ways < NONE ? ways : NONE) << 32 | (NONE - v);
		if (key > *best)
			atomicMax(best, key);
	}
}

// mixed scatters the numbers of vertices, no two to the same colour: in order, colours would leave chains of
// components to be found one a round. (Wellons' "lowbias32", found by search; a xorshift and a multiplication by
// an odd number each have an inverse.)
__device__ static u32 mixed(u32 v) {
	v = (v ^ v >> 16) * 0x7feb352d;
	v = (v ^ v >> 15) * 0x846ca68b;
	return v ^ v >> 16;
}

// procedure_scc_seed begins a round for those of items that have no component yet: what was their colour is their
// region, their colour their own.
extern "C" __global__ void procedure_scc_seed(const u32 *items, u64 count, const u32 *component, u32 *region, u32 *colour, u32 *left, u64 *left_count) {
	for (u64 base = thread() - lane(); base < count; base += threads()) {
		u32 v = base + lane() < count ? items[base + lane()] : NONE;
		bool open = v != NONE && component[v] == NONE;
		if (open) {
			region[v] = colour[v];
			colour[v] = mixed(v);
		}
		append(left, left_count, open, v);
	}
}

// procedure_scc_spread gives colours to those of their region that edges lead to, if they are less. Those whom it
// changes are next, each once: round is in their stamp.
extern "C" __global__ void procedure_scc_spread(const u64 *offsets, const u32 *neighbors, const u32 *items, u64 count, u32 *longs, u64 *long_count, u64 wide, u64 vertices,
	const u32 *component, const u32 *region, u32 *colour, u64 round, u32 *stamp, u32 *next, u64 *next_count) {
	expand({offsets, neighbors}, {items, count, longs, long_count, wide, vertices}, [=](bool live, u32 v, u32, u64 at) {
		u32 u = live ? neighbors[at] : v, own = live ? colour[v] : NONE;
		bool may = live && component[u] == NONE && region[u] == region[v] && colour[u] > own;
		bool changed = may && atomicMin(&colour[u], own) > own && atomicExch(&stamp[u], (u32)round) != (u32)round;
		append(next, next_count, changed, u);
	});
}

// procedure_scc_roots finds who has kept its colour.
extern "C" __global__ void procedure_scc_roots(const u32 *items, u64 count, const u32 *colour, u32 *component, u32 *roots, u64 *root_count) {
	for (u64 base = thread() - lane(); base < count; base += threads()) {
		u32 v = base + lane() < count ? items[base + lane()] : NONE;
		bool root = v != NONE && colour[v] == mixed(v);
		if (root)
			component[v] = v;
		append(roots, root_count, root, v);
	}
}

// procedure_scc_claim takes those of a colour that lead to items into their components.
extern "C" __global__ void procedure_scc_claim(const u64 *offsets, const u32 *neighbors, const u32 *items, u64 count, u32 *longs, u64 *long_count, u64 wide, u64 vertices,
	const u32 *colour, u32 *component, u32 *next, u64 *next_count) {
	expand({offsets, neighbors}, {items, count, longs, long_count, wide, vertices}, [=](bool live, u32 v, u32, u64 at) {
		u32 u = live ? neighbors[at] : v;
		bool may = live && component[u] == NONE && colour[u] == colour[v];
		bool claimed = may && atomicCAS(&component[u], NONE, component[v]) == NONE;
		append(next, next_count, claimed, u);
	});
}

// procedure_scc_least finds the smallest id of each component.
extern "C" __global__ void procedure_scc_least(u64 vertices, const u32 *component, const i64 *ids, i64 *least) {
	for (u64 v = thread(); v < vertices; v += threads())
		if (ids[v] < least[component[v]])
			atomicMin(&least[component[v]], ids[v]);
}

// procedure_names looks up what each vertex's number stands for.
extern "C" __global__ void procedure_names(u64 vertices, const u32 *numbers, const i64 *names, i64 *result) {
	for (u64 v = thread(); v < vertices; v += threads())
		result[v] = names[numbers[v]];
}
