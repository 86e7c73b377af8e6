// K-core by peeling: of the vertices left those of degree at most k go, round after round until there are none;
// they have core number k. (Matula and Beck 1983; Kabir and Madduri, "Parallel k-core decomposition on multicore
// platforms", 2017; Ahmad et al., "Accelerating k-core decomposition by a GPU", 2023.)
#pragma once

#include "procedure_lists.cuh"

const u32 DROPPED = 1u << 31; // an entry that names no neighbour, or one that was named before

// procedure_kcore_degrees drops entries so that every neighbour is named once, and counts the others.
extern "C" __global__ void procedure_kcore_degrees(u64 vertices, u64 entries, const u64 *offsets, u32 *neighbors,
	const u64 *earlier_offsets, const u32 *earlier_neighbors, i32 *degrees) {
	Lists earlier = {earlier_offsets, earlier_neighbors};
	for (u64 entry = thread(); entry < entries; entry += threads()) {
		u64 v = owner(offsets, vertices, entry);
		u32 u = neighbors[entry] & ~DROPPED;
		bool dropped = u == v || (entry > offsets[v] && (neighbors[entry - 1] & ~DROPPED) == u);
		u64 end = to(earlier, v), at = find(earlier_neighbors, from(earlier, v), end, u, ~DROPPED);
		if (dropped || (at < end && (earlier_neighbors[at] & ~DROPPED) == u))
			neighbors[entry] = u | DROPPED;
		else
			atomicAdd(&degrees[v], 1);
	}
}

// procedure_kcore_level parts the vertices left: those of degree k begin its front, those of higher degree are
// kept, and least is the lowest of their degrees. Those of lower degree have gone before.
extern "C" __global__ void procedure_kcore_level(const u32 *left, u64 count, const i32 *degrees, u64 k, i64 *core,
	u32 *kept, u64 *kept_count, u32 *front, u64 *front_count, u64 *least) {
	for (u64 base = thread() - lane(); base < count; base += threads()) {
		bool some = base + lane() < count;
		u32 v = some ? left[base + lane()] : 0;
		i64 degree = some ? degrees[v] : -1;
		bool now = degree == (i64)k, later = degree > (i64)k;
		if (now)
			core[v] = (i64)k;
		if (later && (u64)degree < *least)
			atomicMin(least, (u64)degree);
		append(front, front_count, now, v);
		append(kept, kept_count, later, v);
	}
}

// procedure_kcore_peel takes the vertices of a front away from their neighbours. Whom k neighbours are left then
// goes next.
extern "C" __global__ void procedure_kcore_peel(const u64 *offsets, const u32 *neighbors, const u32 *items, u64 count, u32 *longs, u64 *long_count, u64 wide, u64 vertices,
	i32 *degrees, u64 k, i64 *core, u32 *next, u64 *next_count) {
	expand({offsets, neighbors}, {items, count, longs, long_count, wide, vertices}, [=](bool live, u32, u32, u64 at) {
		u32 u = live ? neighbors[at] : DROPPED;
		bool peeled = !(u & DROPPED) && degrees[u] > (i64)k && atomicAdd(&degrees[u], -1) == (i64)k + 1;
		if (peeled)
			core[u] = (i64)k;
		append(next, next_count, peeled, u);
	});
}
