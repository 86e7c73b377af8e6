// What the threads of a block do together. Blocks have BLOCK threads, and all of them call these.
#pragma once
#include "abi.cuh"

const u32 WARP = 32;
const u32 BLOCK = 256;
const u32 EVERY_LANE = ~0u;

__device__ __forceinline__ u32 lane() { return threadIdx.x % WARP; }
__device__ __forceinline__ u32 warp() { return threadIdx.x / WARP; }

// first_index and stride lead a thread through a range that the whole grid goes along.
__device__ __forceinline__ u64 first_index() { return (u64)blockIdx.x * BLOCK + threadIdx.x; }
__device__ __forceinline__ u64 stride() { return (u64)gridDim.x * BLOCK; }

// fold_lanes combines the values of each LANES lanes of a warp by op, which commutes, always in the same order; all of
// them get the result.
template <u32 LANES, typename T, typename Op> __device__ __forceinline__ T fold_lanes(T x, Op op) {
	for (u32 distance = LANES / 2; distance > 0; distance /= 2) {
		x = op(x, __shfl_xor_sync(EVERY_LANE, x, distance));
	}
	return x;
}

// warp_fold does it for a warp, block_fold for a block.
template <typename T, typename Op> __device__ __forceinline__ T warp_fold(T x, Op op) { return fold_lanes<WARP>(x, op); }

template <typename T, typename Op> __device__ __forceinline__ T block_fold(T x, Op op) {
	__shared__ T parts[BLOCK / WARP];
	x = warp_fold(x, op);
	if (lane() == 0) {
		parts[warp()] = x;
	}
	__syncthreads();
	x = parts[0];
	for (u32 i = 1; i < BLOCK / WARP; i++) {
		x = op(x, parts[i]);
	}
	__syncthreads(); // parts may be used again
	return x;
}

template <typename T> __device__ __forceinline__ T block_sum(T x) {
	return block_fold(x, [](T a, T b) { return a + b; });
}

// warp_scan is the sum of x over the lanes up to this one.
template <typename T> __device__ __forceinline__ T warp_scan(T x) {
	for (u32 distance = 1; distance < WARP; distance *= 2) {
		T before = __shfl_up_sync(EVERY_LANE, x, distance);
		x += lane() >= distance ? before : 0;
	}
	return x;
}

// block_scan is the sum of x over the threads before this one; total, over all.
template <typename T> __device__ __forceinline__ T block_scan(T x, T *total) {
	__shared__ T sums[BLOCK / WARP];
	T here = warp_scan(x);
	if (lane() == WARP - 1) {
		sums[warp()] = here;
	}
	__syncthreads();
	T before = 0, all = 0;
	for (u32 i = 0; i < BLOCK / WARP; i++) {
		before += i < warp() ? sums[i] : 0;
		all += sums[i];
	}
	__syncthreads(); // sums may be used again
	*total = all;
	return before + here - x;
}
