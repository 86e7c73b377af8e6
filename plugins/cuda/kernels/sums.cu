// Sums over many chunks at a time: chunks of a few MiB do not keep a card busy one after another. Chunks without a
// row in common are a wave, and one launch does all of it; the waves follow each other, so that what comes to
// a vertex from several chunks is added in their order. Rows are summed as ever (pull.cuh), to the same bits. Which
// are long is found out once (sums_cut).
#include "pull.cuh"
#include "solve_cover.cuh"

// Part is a piece of a long row of a wave.
struct Part {
	u32 chunk, row; // of the wave, of the chunk
	u64 index;
};

struct Wave {
	u64 chunks;
	const Chunk *const *chunk;
	const u64 *tiles; // chunks + 1: how many the chunks before each have, of BLOCK rows
	u64 parts;
	Part *part; // those of a row stand one after another
	f64 *partial;
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

extern "C" __global__ void sums_cut(Wave *w) {
	for (u64 tile = blockIdx.x; tile < tiles_of(w); tile += gridDim.x) {
		Rows rows = rows_of(w, tile);
		Row r = row_of(rows.chunk, rows.row);
		if (r.degree < PIECE) continue;
		u64 parts = (r.degree - 1) / PIECE + 1, at = count(&w->parts, parts);
		for (u64 i = 0; i < parts; i++) w->part[at + i] = Part{(u32)rows.number, (u32)rows.row, i};
	}
}

template <typename Form> __device__ __forceinline__ void sums(const Program *p, const Wave *w, u64 column) {
	for (u64 tile = blockIdx.x; tile < tiles_of(w); tile += gridDim.x) {
		Rows rows = rows_of(w, tile);
		pull_tile(Receiver<FloatSum, Form>(p, rows.chunk, column), row_of(rows.chunk, rows.row));
	}
}

template <typename Form> __device__ __forceinline__ void sums_parts(const Program *p, const Wave *w, u64 column) {
	for (u64 i = blockIdx.x; i < w->parts; i += gridDim.x) {
		Part part = w->part[i];
		const Chunk *c = w->chunk[part.chunk];
		f64 x = pull_piece(Receiver<FloatSum, Form>(p, c, column), row_of(c, part.row), (u32)part.index);
		if (threadIdx.x == 0) store(w->partial + i, x);
	}
}

extern "C" __global__ void sums_join(const Program *p, const Wave *w) {
	for (u64 i = first_index() / WARP; i < w->parts; i += stride() / WARP) {
		Part part = w->part[i];
		if (part.index != 0) continue;
		const Chunk *c = w->chunk[part.chunk];
		join_pieces(Receiver<FloatSum, AsIs>(p, c, 0), row_of(c, part.row), w->partial + i);
	}
}

#define SUMS(name, Form)                                                                                                             \
	extern "C" __global__ void sums_##name(const Program *p, const Wave *w, u64 column) { sums<Form>(p, w, column); }                   \
	extern "C" __global__ void sums_parts_##name(const Program *p, const Wave *w, u64 column) { sums_parts<Form>(p, w, column); }

SUMS(as_is, AsIs)
SUMS(plus, Plus)
SUMS(times, Times)
SUMS(at_most, AtMost)
SUMS(at_least, AtLeast)
