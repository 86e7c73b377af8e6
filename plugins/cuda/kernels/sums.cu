// Sums over many chunks at a time: chunks of a few MiB do not keep a card busy one after another. Chunks without a
// row in common are a wave, and one launch does all of it; the waves follow each other, so that what comes to
// a vertex from several chunks is added in their order. Rows are summed as ever (pull.cuh), to the same bits. Which
// are long is found out once (sums_cut), and what takes longest is begun first.
#include "pull.cuh"
#include "solve_cover.cuh"

// Part is a piece of a long row of a wave.
struct Part {
	u32 chunk, row; // of the wave, of the chunk
	u64 index;
};

// Aside is a row of a wave for a warp.
struct Aside {
	u32 chunk, row;
};

struct Wave {
	u64 chunks;
	const Chunk *const *chunk;
	const u64 *tiles; // chunks + 1: how many the chunks before each have, of BLOCK rows
	u64 parts;
	Part *part; // those of a row stand one after another
	f64 *partial;
	u64 asides;
	Aside *aside;
};

// Rows is a tile of a wave.
struct Rows {
	u64 number; // of the chunk
	const Chunk *chunk;
	u64 row; // of this thread
};

__device__ __forceinline__ Rows rows_of(const Wave *w, u64 tile) {
	u64 number = last_at_most(w->tiles, w->chunks, tile);
	return Rows{number, load(w->chunk + number), (tile - __ldg(w->tiles + number)) * BLOCK + threadIdx.x};
}

__device__ __forceinline__ u64 tiles_of(const Wave *w) { return __ldg(w->tiles + w->chunks); }

// cut_row lists a long row by its parts, or as one for a warp.
__device__ __forceinline__ void cut_row(Wave *w, u32 chunk, u32 row, u32 degree) {
	if (degree < PIECE) {
		w->aside[count(&w->asides, 1)] = Aside{chunk, row};
		return;
	}
	u64 parts = (degree - 1) / PIECE + 1, at = count(&w->parts, parts);
	for (u64 i = 0; i < parts; i++) w->part[at + i] = Part{chunk, row, i};
}

extern "C" __global__ void sums_cut(Wave *w) {
	for (u64 tile = blockIdx.x; tile < tiles_of(w); tile += gridDim.x) {
		Rows rows = rows_of(w, tile);
		Row r = row_of(rows.chunk, rows.row);
		if (r.degree >= CUT) cut_row(w, (u32)rows.number, (u32)rows.row, r.degree);
	}
}

template <typename Form> __device__ __forceinline__ void sum_part(const Program *p, const Wave *w, u64 column, u64 i) {
	Part part = w->part[i];
	const Chunk *c = load(w->chunk + part.chunk);
	f64 x = pull_piece(Receiver<FloatSum, Form>(p, c, column), row_of(c, part.row), (u32)part.index);
	if (threadIdx.x == 0) store(w->partial + i, x);
}

template <typename Form> __device__ __forceinline__ void sum_aside(const Program *p, const Wave *w, u64 column, u64 i) {
	if (i >= w->asides) return;
	Aside aside = w->aside[i];
	const Chunk *c = load(w->chunk + aside.chunk);
	pull_row(Receiver<FloatSum, Form>(p, c, column), row_of(c, aside.row));
}

template <typename Form> __device__ __forceinline__ void sum_tile(const Program *p, const Wave *w, u64 column, u64 tile) {
	Rows rows = rows_of(w, tile);
	pull_tile(Receiver<FloatSum, Form>(p, rows.chunk, column), row_of(rows.chunk, rows.row));
}

// sums shares out parts of rows by the block, rows by the warp, and tiles.
template <typename Form> __device__ __forceinline__ void sums(const Program *p, const Wave *w, u64 column) {
	const u32 warps = BLOCK / WARP;
	u64 parts = w->parts, asides = (w->asides + warps - 1) / warps, all = parts + asides + tiles_of(w);
	for (u64 i = blockIdx.x; i < all; i += gridDim.x) {
		if (i < parts) sum_part<Form>(p, w, column, i);
		else if (i < parts + asides) sum_aside<Form>(p, w, column, (i - parts) * warps + warp());
		else sum_tile<Form>(p, w, column, i - parts - asides);
	}
}

extern "C" __global__ void sums_join(const Program *p, const Wave *w) {
	for (u64 i = first_index() / WARP; i < w->parts; i += stride() / WARP) {
		Part part = w->part[i];
		if (part.index != 0) continue;
		const Chunk *c = load(w->chunk + part.chunk);
		join_pieces(Receiver<FloatSum, AsIs>(p, c, 0), row_of(c, part.row), w->partial + i);
	}
}

#define SUMS(name, Form) \
	extern "C" __global__ void sums_##name(const Program *p, const Wave *w, u64 column) { sums<Form>(p, w, column); }

SUMS(as_is, AsIs)
SUMS(plus, Plus)
SUMS(times, Times)
SUMS(at_most, AtMost)
SUMS(at_least, AtLeast)
