// Exclusive prefix sums: tiles are summed, their sums scanned, and added to what stands in them. (Blelloch,
// "Prefix sums and their applications", 1990.)
#pragma once

#include "procedure_lists.cuh"

const u32 SCAN_THREADS = 256, SCAN_EACH = 8, SCAN_TILE = SCAN_THREADS * SCAN_EACH;

// procedure_scan_tiles scans each tile by itself. sums has the tiles' sums, or is 0 where there is one tile.
extern "C" __global__ void procedure_scan_tiles(u64 count, u64 *values, u64 *sums) {
	__shared__ u64 parts[SCAN_THREADS];
	for (u64 tile = blockIdx.x; tile * SCAN_TILE < count; tile += gridDim.x) {
		u64 begin = tile * SCAN_TILE + (u64)threadIdx.x * SCAN_EACH;
		u64 own = 0;
		for (u64 i = begin; i < begin + SCAN_EACH && i < count; i++)
			own += values[i];
		parts[threadIdx.x] = own;
		__syncthreads();
		for (u32 apart = 1; apart < SCAN_THREADS; apart *= 2) { // Hillis and Steele 1986
			u64 before = threadIdx.x >= apart ? parts[threadIdx.x - apart] : 0;
			__syncthreads();
			parts[threadIdx.x] += before;
			__syncthreads();
		}
		u64 sum = parts[threadIdx.x] - own;
		if (sums && threadIdx.x == SCAN_THREADS - 1)
			sums[tile] = parts[threadIdx.x];
		for (u64 i = begin; i < begin + SCAN_EACH && i < count; i++) {
			u64 value = values[i];
			values[i] = sum;
			sum += value;
		}
		__syncthreads();
	}
}

// procedure_scan_add adds to each tile what comes before it.
extern "C" __global__ void procedure_scan_add(u64 count, u64 *values, const u64 *sums) {
	for (u64 i = thread(); i < count; i += threads())
		values[i] += sums[i / SCAN_TILE];
}
