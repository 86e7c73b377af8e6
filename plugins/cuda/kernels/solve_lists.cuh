// Lists of vertices and sets of them, written by many threads at once.
#pragma once

#include "block.cuh"
#include "memory.cuh"

// append puts v at the end of a list, for the lanes of a warp that have some. The warp takes its
// places by one addition.
__device__ __forceinline__ void append(u32 *list, u64 *length, bool some, u32 v) {
	u32 who = __ballot_sync(EVERY_LANE, some);
	if (who == 0) return;
	u32 leader = (u32)__ffs((int)who) - 1;
	u64 at = 0;
	if (lane() == leader) at = count(length, (u64)__popc(who));
	at = __shfl_sync(EVERY_LANE, at, (int)leader);
	if (some) store(list + at + __popc(who & ((1u << lane()) - 1)), v);
}

// Sets are bitmaps of vertices by halves of words: vertex v is bit v % 32 of half v / 32.

// has may not see what others insert meanwhile.
__device__ __forceinline__ bool has(const u32 *set, u64 v) { return load(set + v / 32) >> (v % 32) & 1; }

// insert tells whether v is new in the set.
__device__ __forceinline__ bool insert(u32 *set, u64 v) {
	u32 bit = 1u << (v % 32);
	return !(atomicOr(&set[v / 32], bit) & bit);
}

// insert_after and withdraw_before hand something over: after withdraw_before a thread reads what was written
// before each insert_after that found v in the set. As one half of a fence each they leave the cache alone where edges are many.
#ifdef SOFTCUDA
__device__ __forceinline__ bool insert_after(u32 *set, u64 v) {
	__threadfence();
	return insert(set, v);
}

__device__ __forceinline__ void withdraw_before(u32 *set, u64 v) {
	atomicAnd(&set[v / 32], ~(1u << (v % 32)));
	__threadfence();
}
#else
__device__ __forceinline__ bool insert_after(u32 *set, u64 v) {
	u32 bit = 1u << (v % 32), before;
	asm volatile("atom.release.gpu.global.or.b32 %0, [%1], %2;" : "=r"(before) : "l"(&set[v / 32]), "r"(bit) : "memory");
	return !(before & bit);
}

__device__ __forceinline__ void withdraw_before(u32 *set, u64 v) {
	u32 others = ~(1u << (v % 32)), before;
	asm volatile("atom.acquire.gpu.global.and.b32 %0, [%1], %2;" : "=r"(before) : "l"(&set[v / 32]), "r"(others) : "memory");
}
#endif

// tally adds what the threads of a block have to a total.
__device__ __forceinline__ void tally(u64 *total, u64 x) {
	x = block_sum(x);
	if (threadIdx.x == 0 && x != 0) count(total, x);
}
