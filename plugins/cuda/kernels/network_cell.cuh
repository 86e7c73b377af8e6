// Sums, and largest numbers, over lists that come some entries at a time: of edges, cell by cell. They have the bits of
// lists that come at once (network_gather.cuh), wherever they are cut: entries are folded CUT_LIST by CUT_LIST, and what
// that comes to, in order. Between cells a row has so far: how many entries it has had; in out, what those before its
// last piece have come to; in piece, that one, which may be full.
#pragma once
#include "network_gather.cuh"

// Cell is some entries more of all rows: row r has begin[r] to begin[r + 1]. Those of rows with more than most are
// taken piece by piece, each by another thread.
struct Cell {
	Rows rows;
	u64 most;
	const u32 *before; // how many entries each row has had
};

__device__ __forceinline__ f32 fold_two(f32 x, f32 y, u64 largest) { return largest ? larger(y, x) : x + y; }

// end_piece adds the piece of a row that ends at a place to those before it.
__device__ __forceinline__ f32 end_piece(f32 sum, f32 piece, u64 place, u64 largest) {
	return place <= CUT_LIST ? piece : fold_two(sum, piece, largest);
}

// each_more goes on with a fold.
template <typename Fold>
__device__ __forceinline__ void each_more(const Cell &c, u64 width, u64 largest, f32 *out, f32 *piece, f32 *partial,
	Fold fold) {
	const Rows &r = c.rows;
	for (u64 i = first_index(); i < (r.count + r.piece_count) * width; i += stride()) {
		u64 row = i / width, from, to, place;
		u32 column = (u32)(i % width);
		f32 sum = 0, last = 0, *last_at;
		bool whole = row < r.count;
		if (whole) {
			from = load(r.begin + row), to = load(r.begin + row + 1), place = load(c.before + row);
			if (to == from || to - from > c.most) {
				continue; // or its pieces are put together later
			}
			last_at = piece + i;
			sum = load(out + i), last = load(last_at);
		} else { // a piece of a row, whose entries end no other
			u64 which = load(r.pieces + (row - r.count)), k = which >> 32;
			row = which & 0xffffffff;
			u64 begin = load(r.begin + row), end = load(r.begin + row + 1), had = load(c.before + row);
			from = k == 0 ? begin : min(begin + k * CUT_LIST - had % CUT_LIST, end);
			to = min(begin + (k + 1) * CUT_LIST - had % CUT_LIST, end);
			place = had + (from - begin);
			if (k == 0 && had % CUT_LIST > 0) {
				last = load(piece + row * width + column);
			}
			last_at = partial + (i - r.count * width);
		}
		for (u64 e = from; e < to; e++, place++) {
			bool first = place % CUT_LIST == 0;
			if (first && place > 0) {
				sum = end_piece(sum, last, place, largest);
			}
			last = fold(first ? 0 : last, row, e, column, first);
		}
		if (whole) {
			store(out + i, sum);
		}
		store(last_at, last);
	}
}

// network_join_cell puts the pieces of long rows together: of each, the row, its first piece, and how many it has.
extern "C" __global__ void __launch_bounds__(BLOCK, 1) network_join_cell(const u64 *begin, const u64 *longs,
	u64 long_count, const u32 *before, u64 width, u64 largest, const f32 *partial, f32 *out, f32 *piece) {
	for (u64 i = first_index(); i < long_count * width; i += stride()) {
		const u64 *one = longs + i / width * 3;
		u64 row = load(one), first = load(one + 1), column = i % width, at = row * width + column;
		u64 had = load(before + row), start = had - had % CUT_LIST;
		u64 end = had + load(begin + row + 1) - load(begin + row);
		f32 sum = load(out + at), last = load(piece + at);
		for (u64 k = 0; start + k * CUT_LIST < end; k++) {
			u64 place = start + k * CUT_LIST;
			if (place > 0 && (k > 0 || had % CUT_LIST == 0)) {
				sum = end_piece(sum, last, place, largest);
			}
			last = load(partial + (first + k) * width + column);
		}
		store(out + at, sum);
		store(piece + at, last);
	}
}

// network_gather_cell folds an expression over the edges of a cell.
extern "C" __global__ void __launch_bounds__(BLOCK, 1) network_gather_cell(u64 count, const u64 *begin,
	const u64 *pieces, u64 piece_count, u64 most, const u32 *before, u64 width, u64 largest, f32 *out, f32 *piece,
	f32 *partial, const u32 *others, u64 at_source, u64 first_vertex, const u32 *vertices, const Instruction *code) {
	__shared__ f32 stack[DEPTH][BLOCK];
	Cell c = {{count, begin, nullptr, pieces, piece_count}, most, before};
	each_more(c, width, largest, out, piece, partial, [=](f32 so_far, u64 row, u64 e, u32 column, bool first) {
		Place p = edge_place(row, load(others + e), e, at_source, {first_vertex, vertices});
		f32 x = evaluate(code, p, column, stack);
		return !largest ? so_far + x : first ? x : larger(x, so_far);
	});
}

// network_gather_rows_cell folds rows that the entries of a cell name.
extern "C" __global__ void __launch_bounds__(BLOCK, 1) network_gather_rows_cell(u64 count, const u64 *begin,
	const u64 *pieces, u64 piece_count, u64 most, const u32 *before, u64 width, u64 largest, f32 *out, f32 *piece,
	f32 *partial, const u32 *others, const f32 *rows) {
	Cell c = {{count, begin, nullptr, pieces, piece_count}, most, before};
	each_more(c, width, largest, out, piece, partial, [=](f32 so_far, u64, u64 e, u32 column, bool first) {
		f32 x = load(rows + (u64)load(others + e) * width + column);
		return !largest ? so_far + x : first ? x : larger(x, so_far);
	});
}

// network_come counts the entries that have come.
extern "C" __global__ void __launch_bounds__(BLOCK, 1) network_come(u64 count, const u64 *begin, u32 *before) {
	for (u64 row = first_index(); row < count; row += stride()) {
		store(before + row, load(before + row) + (u32)(load(begin + row + 1) - load(begin + row)));
	}
}

// network_end ends the folds of rows all of whose entries have come.
extern "C" __global__ void __launch_bounds__(BLOCK, 1) network_end(u64 count, u64 width, u64 largest,
	const u32 *before, const f32 *piece, f32 *out) {
	for (u64 i = first_index(); i < count * width; i += stride()) {
		u64 place = load(before + i / width);
		store(out + i, place == 0 ? 0 : end_piece(load(out + i), load(piece + i), place, largest));
	}
}
