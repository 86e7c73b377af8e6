// Matrix products, where there is no library for them: tile by tile, by way of shared memory. Each number is a sum
// taken in order.
#pragma once
#include "block.cuh"
#include "memory.cuh"
#include "network_function.cuh"

const u32 INNER = 16; // of a tile

// Operand is a matrix, whose rows and columns are so many numbers apart.
struct Operand {
	const f32 *of;
	u64 rows_apart, columns_apart;
};

// take_tile brings HIGH rows and WIDE columns from a place on, 0 where there are none, so that neighboring threads
// read neighbors.
template <u32 HIGH, u32 WIDE>
__device__ __forceinline__ void take_tile(f32 (*tile)[WIDE + 1], const Operand &m, u64 row, u64 rows, u64 column,
	u64 columns) {
	for (u32 i = threadIdx.x; i < HIGH * WIDE; i += BLOCK) {
		bool along = m.columns_apart == 1;
		u32 r = along ? i / WIDE : i % HIGH, c = along ? i % WIDE : i / HIGH;
		bool there = row + r < rows && column + c < columns;
		tile[r][c] = there ? load(m.of + (row + r) * m.rows_apart + (column + c) * m.columns_apart) : 0;
	}
}

// product computes x·y: x has m rows, y n columns, and they share inner; those of each of these in one part of out. A
// block makes a tile of HIGH × WIDE numbers, a thread UP × ALONG of them.
template <u32 HIGH, u32 WIDE, u32 UP, u32 ALONG>
__device__ __forceinline__ void product(u64 m, u64 n, u64 inner, const Operand &x, const Operand &y, u64 parts,
	u64 each, f32 *out) {
	static_assert(HIGH / UP * (WIDE / ALONG) == BLOCK, "a thread for each");
	__shared__ f32 a[HIGH][INNER + 1], b[INNER][WIDE + 1];
	u64 down = (m + HIGH - 1) / HIGH, across = (n + WIDE - 1) / WIDE;
	u32 i0 = threadIdx.x / (WIDE / ALONG), j0 = threadIdx.x % (WIDE / ALONG);
	for (u64 tile = blockIdx.x; tile < down * across * parts; tile += gridDim.x) {
		u64 part = tile / (down * across), row = tile / across % down * HIGH, column = tile % across * WIDE;
		u64 end = min(inner, (part + 1) * each);
		f32 sum[UP][ALONG] = {};
		for (u64 k = part * each; k < end; k += INNER) {
			take_tile<HIGH, INNER>(a, x, row, m, k, end);
			take_tile<INNER, WIDE>(b, y, k, end, column, n);
			__syncthreads();
#pragma unroll
			for (u32 l = 0; l < INNER; l++) {
#pragma unroll
				for (u32 i = 0; i < UP; i++) {
#pragma unroll
					for (u32 j = 0; j < ALONG; j++) {
						sum[i][j] = __fmaf_rn(a[i0 + i * (HIGH / UP)][l], b[l][j0 + j * (WIDE / ALONG)], sum[i][j]);
					}
				}
			}
			__syncthreads();
		}
#pragma unroll
		for (u32 i = 0; i < UP; i++) {
#pragma unroll
			for (u32 j = 0; j < ALONG; j++) {
				u64 r = row + i0 + i * (HIGH / UP), c = column + j0 + j * (WIDE / ALONG);
				if (r < m && c < n) {
					store(out + part * m * n + r * n + c, sum[i][j]);
				}
			}
		}
	}
}

#define PRODUCT(name, ...)   \
	extern "C" __global__ void __launch_bounds__(BLOCK, 1) name(u64 m, u64 n, u64 inner, const f32 *x,   \
		u64 x_rows_apart, u64 x_columns_apart, const f32 *y, u64 y_rows_apart, u64 y_columns_apart, u64 parts, u64 each,   \
		f32 *out) {   \
		product<__VA_ARGS__>(m, n, inner, Operand{x, x_rows_apart, x_columns_apart},   \
			Operand{y, y_rows_apart, y_columns_apart}, parts, each, out);   \
	}
PRODUCT(network_product, 64, 64, 4, 4)
PRODUCT(network_product_narrow, 128, 16, 8, 1) // for few columns
#undef PRODUCT
