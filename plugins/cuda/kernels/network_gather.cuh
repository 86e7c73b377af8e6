// Sums, and largest numbers, over the lists of rows: of edges at vertices, of numbers that are not 0 in sparse rows.
// A thread goes along a list for one column, in order. Nothing is stored for an edge. Lists with room for more than
// CUT entries are cut into pieces, whose sums are then added up in order: where, goes by the room alone, so that a
// sum has the same bits on every card and in every run.
#pragma once
#include "network_evaluate.cuh"

const u64 CUT_LIST = 256;

// Rows are lists: row r has entries begin[r] to end[r], and room up to begin[r + 1].
struct Rows {
	u64 count;
	const u64 *begin, *end;
	const u64 *pieces; // of long rows: the row, and its how manieth piece this is, in 32 bits each
	u64 piece_count;
};

// each_entry folds, for each row and column, what fold makes of its entries, one after the other, into out; of
// pieces, into partial.
template <typename Fold>
__device__ __forceinline__ void each_entry(const Rows &r, u64 width, f32 *out, f32 *partial, Fold fold) {
	for (u64 i = first_index(); i < (r.count + r.piece_count) * width; i += stride()) {
		u64 row = i / width, from = 0, to = 0;
		u32 column = (u32)(i % width);
		f32 *place = out + i;
		if (row < r.count) {
			from = load(r.begin + row);
			bool is_long = load(r.begin + row + 1) - from > CUT_LIST;
			to = is_long ? from : load(r.end + row); // its pieces are put together later
		} else {
			u64 piece = load(r.pieces + (row - r.count));
			place = partial + (i - r.count * width);
			row = piece & 0xffffffff;
			from = load(r.begin + row) + (piece >> 32) * CUT_LIST;
			to = min(from + CUT_LIST, load(r.end + row));
		}
		f32 result = 0;
		for (u64 e = from; e < to; e++) {
			result = fold(result, row, e, column, e == from);
		}
		store(place, result);
	}
}

// network_join puts the pieces of long rows together: of each, the row, its first piece, and how many it has.
extern "C" __global__ void __launch_bounds__(BLOCK, 1) network_join(const u64 *begin, const u64 *end,
	const u64 *longs, u64 long_count, u64 width, u64 largest, const f32 *partial, f32 *out) {
	for (u64 i = first_index(); i < long_count * width; i += stride()) {
		const u64 *one = longs + i / width * 3;
		u64 row = load(one), first = load(one + 1), count = load(one + 2), column = i % width;
		u64 size = load(end + row) - load(begin + row);
		count = min(count, (size + CUT_LIST - 1) / CUT_LIST); // the last may be empty
		f32 sum = count > 0 ? load(partial + first * width + column) : 0;
		for (u64 k = 1; k < count; k++) {
			f32 x = load(partial + (first + k) * width + column);
			sum = largest ? larger(x, sum) : sum + x;
		}
		store(out + row * width + column, sum);
	}
}

// network_gather folds an expression over the edges at vertices.
extern "C" __global__ void __launch_bounds__(BLOCK, 1) network_gather(u64 count, const u64 *begin, const u64 *end,
	const u64 *pieces, u64 piece_count, u64 width, u64 largest, f32 *out, f32 *partial, const u32 *others, u64 at_source,
	const Instruction *code) {
	__shared__ f32 stack[DEPTH][BLOCK];
	Rows r = {count, begin, end, pieces, piece_count};
	each_entry(r, width, out, partial, [=](f32 before, u64 row, u64 e, u32 column, bool first) {
		Place p = edge_place(row, load(others + e), e, at_source, {0, nullptr});
		f32 x = evaluate(code, p, column, stack);
		return !largest ? before + x : first ? x : larger(x, before);
	});
}

// network_gather_rows folds rows that entries name, times a number of each where there are such: they are found by
// entry, or by what order says of it.
extern "C" __global__ void __launch_bounds__(BLOCK, 1) network_gather_rows(u64 count, const u64 *begin,
	const u64 *end, const u64 *pieces, u64 piece_count, u64 width, u64 largest, f32 *out, f32 *partial, const u32 *others,
	const f32 *rows, const f32 *numbers, const u32 *order) {
	Rows r = {count, begin, end, pieces, piece_count};
	each_entry(r, width, out, partial, [=](f32 before, u64, u64 e, u32 column, bool first) {
		f32 x = load(rows + (u64)load(others + e) * width + column);
		if (numbers) {
			return __fmaf_rn(load(numbers + (order ? load(order + e) : e)), x, before); // as in a product of what is dense
		}
		return !largest ? before + x : first ? x : larger(x, before);
	});
}

// network_edge_outer adds up the products of two expressions over the edges at vertices, those of each vertices in one
// part of partial.
extern "C" __global__ void __launch_bounds__(BLOCK, 1) network_edge_outer(u64 count, const u64 *begin, const u64 *end,
	const u32 *others, u64 at_source, u64 first_vertex, const u32 *vertices, u64 parts, u64 each, u64 high, u64 wide,
	const Instruction *x, const Instruction *y, f32 *partial) {
	__shared__ f32 stack[DEPTH][BLOCK];
	for (u64 i = first_index(); i < parts * high * wide; i += stride()) {
		u64 first = i / (high * wide) * each, last = min(first + each, count);
		u32 up = (u32)(i / wide % high), along = (u32)(i % wide);
		f32 sum = 0;
		for (u64 row = first; row < last; row++) {
			for (u64 e = load(begin + row); e < load(end + row); e++) {
				Place p = edge_place(row, load(others + e), e, at_source, {first_vertex, vertices});
				f32 a = evaluate(x, p, up, stack);
				sum += a * evaluate(y, p, along, stack);
			}
		}
		store(partial + i, sum);
	}
}
