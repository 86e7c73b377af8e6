// Bitmaps of vertices: vertex v is bit v % 64 of word v / 64. A warp writes half a word at a time.
#pragma once
#include "block.cuh"
#include "memory.cuh"

typedef u32 __attribute__((may_alias)) half_word;

__device__ __forceinline__ half_word *half_of(u64 *bits, u64 v) { return (half_word *)bits + v / 32; }

// contains is for a bitmap that nobody writes meanwhile.
__device__ __forceinline__ bool contains(const u64 *bits, u64 v) { return __ldg(bits + v / 64) >> (v % 64) & 1; }

// in_bitmap tells whether v lies in a word of a bitmap of n vertices.
__device__ __forceinline__ bool in_bitmap(u64 v, u64 n) { return v / 64 * 64 < n; }

// mark sets the bits of a warp's vertices, of which v is this lane's, to what their lanes say. Lane 0 gets how many are set.
__device__ __forceinline__ u64 mark(u64 *bits, u64 v, u64 n, bool member) {
	u32 members = __ballot_sync(EVERY_LANE, member);
	if (lane() != 0 || !in_bitmap(v, n)) {
		return 0;
	}
	*(GLOBAL(half_word) *)half_of(bits, v) = members;
	return __popc(members);
}

// mark_more leaves set what is set.
__device__ __forceinline__ u64 mark_more(u64 *bits, u64 v, u64 n, bool member) {
	u32 members = __ballot_sync(EVERY_LANE, member);
	if (lane() != 0 || !in_bitmap(v, n)) {
		return 0;
	}
	GLOBAL(half_word) *half = (GLOBAL(half_word) *)half_of(bits, v);
	u32 before = *half;
	if (members & ~before) {
		*half = before | members;
	}
	return __popc(before | members);
}
