// What is computed row by row, and sums over rows.
#pragma once
#include "network_evaluate.cuh"

// network_rows computes an expression for each row and column.
extern "C" __global__ void __launch_bounds__(BLOCK, 1) network_rows(u64 rows, u64 width, u64 first_vertex,
	const Instruction *code, f32 *out) {
	__shared__ f32 stack[DEPTH][BLOCK];
	for (u64 i = first_index(); i < rows * width; i += stride()) {
		Place p = {i / width, 0, 0, 0, false, false, {first_vertex, nullptr}};
		store(out + i, evaluate(code, p, (u32)(i % width), stack));
	}
}

// network_sums adds up an expression over rows, those of each rows in one part of partial: a block a part, its threads
// rows side by side, and then these in order.
extern "C" __global__ void __launch_bounds__(BLOCK, 1) network_sums(u64 rows, u64 width, u64 first_vertex, u64 parts,
	u64 each, const Instruction *code, f32 *partial) {
	__shared__ f32 stack[DEPTH][BLOCK];
	__shared__ f32 sums[BLOCK];
	for (u64 part = blockIdx.x; part < parts; part += gridDim.x) {
		for (u64 first = 0; first < width; first += BLOCK) {
			u32 wide = (u32)min((u64)BLOCK, width - first), high = BLOCK / wide;
			u32 row = threadIdx.x / wide, column = threadIdx.x % wide;
			f32 sum = 0;
			for (u64 r = part * each + row; row < high && r < min((part + 1) * each, rows); r += high) {
				Place p = {r, 0, 0, 0, false, false, {first_vertex, nullptr}};
				sum += evaluate(code, p, (u32)first + column, stack);
			}
			sums[threadIdx.x] = sum;
			__syncthreads();
			if (row == 0) {
				for (u32 k = 1; k < high; k++) {
					sum += sums[k * wide + column];
				}
				store(partial + part * width + first + column, sum);
			}
			__syncthreads();
		}
	}
}

// network_total adds up parts in order, to what is in out where that is asked for.
extern "C" __global__ void __launch_bounds__(BLOCK, 1) network_total(u64 numbers, u64 parts, const f32 *partial,
	u64 more, f32 *out) {
	for (u64 i = first_index(); i < numbers; i += stride()) {
		f32 sum = load(partial + i);
		if (more) {
			sum = load(out + i) + sum;
		}
		for (u64 part = 1; part < parts; part++) {
			sum += load(partial + part * numbers + i);
		}
		store(out + i, sum);
	}
}

// network_loss is the cross entropy of logits and a class, or its gradient. Rows are so many numbers apart: 0 where
// there is one for all.
extern "C" __global__ void __launch_bounds__(BLOCK, 1) network_loss(u64 rows, u64 width, const f32 *logits,
	u64 logits_apart, const f32 *classes, u64 classes_apart, u64 slope, f32 *out) {
	for (u64 row = first_index(); row < rows; row += stride()) {
		const f32 *x = logits + row * logits_apart;
		f32 class_ = load(classes + row * classes_apart);
		bool labelled = class_ >= 0 && class_ < (f32)width;
		f32 most = load(x), sum = 0;
		for (u64 j = 1; j < width; j++) {
			most = larger(load(x + j), most);
		}
		for (u64 j = 0; j < width; j++) {
			sum += exponential(load(x + j) - most);
		}
		if (!slope) {
			store(out + row, labelled ? logarithm(sum) + most - load(x + (u64)class_) : 0);
			continue;
		}
		for (u64 j = 0; j < width; j++) {
			f32 share = exponential(load(x + j) - most) / sum - (labelled && j == (u64)class_ ? 1 : 0);
			store(out + row * width + j, labelled ? share : 0);
		}
	}
}

// network_dense writes sparse rows as they are; out is 0 before.
extern "C" __global__ void __launch_bounds__(BLOCK, 1) network_dense(u64 rows, u64 width, const u64 *offsets,
	const u32 *columns, const f32 *numbers, f32 *out) {
	for (u64 row = first_index(); row < rows; row += stride()) {
		for (u64 e = load(offsets + row); e < load(offsets + row + 1); e++) {
			f32 *place = out + row * width + load(columns + e);
			store(place, load(place) + load(numbers + e));
		}
	}
}

// network_drop multiplies the numbers of sparse rows with the factors of a dropout, which the code's only instruction
// has.
extern "C" __global__ void __launch_bounds__(BLOCK, 1) network_drop(u64 rows, u64 first_vertex, const u64 *offsets,
	const u32 *columns, const f32 *numbers, const Instruction *code, f32 *out) {
	u64 key = load(&code->at);
	u32 limit = load(&code->b);
	f32 kept = load(&code->number);
	for (u64 row = first_index() / WARP; row < rows; row += stride() / WARP) {
		for (u64 e = load(offsets + row) + lane(); e < load(offsets + row + 1); e += WARP) {
			store(out + e, load(numbers + e) * factor(key, limit, kept, first_vertex + row, load(columns + e)));
		}
	}
}
