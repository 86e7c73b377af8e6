// Pull: rows are receivers, and each folds what its list's vertices send. In which order goes by the row's length
// alone, so a sum has the same bits every time, on every card:
//
//	up to SHORT edges   one after another, by one thread, once the block has fetched those of all short rows
//	                    together (Greathouse, Daga, "Efficient Sparse Matrix-Vector Multiplication on GPUs using
//	                    the CSR Storage Format", SC'14: CSR-Stream)
//	below LONG          by FEW lanes, FEW sums side by side, so that a warp has several rows in flight
//	below PIECE         by a warp
//	from PIECE on       by a block for each piece of PIECE edges, then the pieces by a warp
#pragma once
#include "fold.cuh"
#include "message.cuh"
#include "scratch.cuh"
#include "tile.cuh"

const u32 SHORT = 7;
const u32 FEW = 8;
const u32 LONG = 128;

// Receiver is what the edges of a chunk need beside the row's own.
template <typename Fold, typename Form> struct Receiver {
	typedef typename Fold::T T;
	const Program *p;
	const Chunk *c;
	const u32 *neighbors;
	const f64 *weights;
	const u64 *messages, *active; // of the chunk's columns; of all
	u64 cols_base;
	static constexpr Fold fold{};
	bool all; // send, or what those who do not would have sent changes nothing

	__device__ __forceinline__ Receiver(const Program *p, const Chunk *c, u64 column)
		: p(p), c(c), neighbors(c->neighbors), weights(c->columns[column]), messages(p->messages + c->cols_base),
		  active(p->active), cols_base(c->cols_base), all(p->activity == ALWAYS || !(Form::weighted || Form::processed)) {}

	// receive is what comes to a vertex along an edge.
	__device__ __forceinline__ T receive(u64 vertex, u32 edge) const {
		u32 from = once(neighbors + edge);
		u64 source = cols_base + from;
		if (!all && !contains(active, source)) {
			return fold.none();
		}
		u64 message = Form::processed ? 0 : __ldg(messages + from);
		return fold.of(along<Form>(p, c, weights, Edge{source, vertex, edge, message}));
	}

	// range folds what comes along edges [from, to) and by so many threads, of which this is one. It asks for
	// several messages before it needs the first.
	__device__ __forceinline__ T range(u64 vertex, u32 from, u32 to, u32 thread, u32 threads) const {
		const u32 ahead = 4;
		T x = fold.none(), came[ahead];
		u32 edge = from + thread;
		for (; edge + (ahead - 1) * threads < to; edge += ahead * threads) {
			for (u32 i = 0; i < ahead; i++) {
				came[i] = receive(vertex, edge + i * threads);
			}
			for (u32 i = 0; i < ahead; i++) {
				x = fold(x, came[i]);
			}
		}
#pragma unroll 1
		for (; edge < to; edge += threads) {
			x = fold(x, receive(vertex, edge));
		}
		return x;
	}

	// add combines x with what the vertex has; nobody else writes it meanwhile.
	__device__ __forceinline__ void add(u64 vertex, T x) const {
		T *acc = (T *)p->acc + vertex;
		store(acc, fold(load(acc), x));
	}
};

// pull_short does the short rows of a tile.
template <typename R> __device__ __forceinline__ void pull_short(const R &receiver, Row r) {
	__shared__ Tile tile;
	__shared__ u64 vertices[BLOCK];
	__shared__ typename R::T came[BLOCK * SHORT];
	u32 degree = r.degree <= SHORT ? r.degree : 0;
	vertices[threadIdx.x] = r.vertex;
	u32 count = lay(tile, r.first, degree);
	for (u32 e = threadIdx.x; e < count; e += BLOCK) {
		u32 slot = slot_of(tile, e);
		came[e] = receiver.receive(vertices[slot], edge_of(tile, slot, e));
	}
	__syncthreads();
	if (degree > 0) {
		typename R::T x = receiver.fold.none();
#pragma unroll 1
		for (u32 i = 0; i < degree; i++) {
			x = receiver.fold(x, came[tile.before[threadIdx.x] + i]);
		}
		receiver.add(r.vertex, x);
	}
	__syncthreads(); // the tile may be laid anew
}

// pick is the lane of the row that these LANES lanes do of those left in a warp, and WARP if there is none for them. As
// many are taken from the left as the warp has such groups of lanes.
template <u32 LANES> __device__ __forceinline__ u32 pick(u32 *left) {
	u32 mine = WARP;
	for (u32 group = 0; group < WARP / LANES; group++) {
		if (group == lane() / LANES && *left != 0) {
			mine = __ffs(*left) - 1;
		}
		*left &= *left - 1;
	}
	return mine;
}

// pull_by does the wanted rows of a warp, LANES lanes a row.
template <u32 LANES, typename R> __device__ __forceinline__ void pull_by(const R &receiver, Row r, bool wanted) {
	for (u32 left = __ballot_sync(EVERY_LANE, wanted); left != 0;) {
		u32 of = pick<LANES>(&left);
		u64 vertex = __shfl_sync(EVERY_LANE, r.vertex, of % WARP);
		u32 first = __shfl_sync(EVERY_LANE, r.first, of % WARP), degree = __shfl_sync(EVERY_LANE, r.degree, of % WARP);
		u32 end = first + (of < WARP ? degree : 0);
		typename R::T x = fold_lanes<LANES>(receiver.range(vertex, first, end, lane() % LANES, LANES), receiver.fold);
		if (lane() % LANES == 0 && of < WARP) {
			receiver.add(vertex, x);
		}
	}
}

// pull_tile does the rows of a tile, of which this thread's is r, but long ones.
template <typename R> __device__ __forceinline__ void pull_tile(const R &receiver, Row r) {
	pull_short(receiver, r);
	pull_by<FEW>(receiver, r, r.degree > SHORT && r.degree < LONG);
	pull_by<WARP>(receiver, r, r.degree >= LONG && r.degree < PIECE);
}

// pull does all rows but long ones, which it cuts in pieces.
template <typename Fold, typename Form> __device__ __forceinline__ void pull(const Program *p, const Chunk *c, u64 column, Scratch *s) {
	Receiver<Fold, Form> receiver(p, c, column);
	for (u64 base = (u64)blockIdx.x * BLOCK; base < c->rows; base += stride()) {
		Row r = row_of(c, base + threadIdx.x);
		if (r.degree >= PIECE) {
			cut(s, base + threadIdx.x, r.degree);
		}
		pull_tile(receiver, r);
	}
	if (first_index() == 0) {
		p->counters->edges += c->edges;
	}
}

// pull_piece is what comes along a piece of a row.
template <typename R> __device__ __forceinline__ typename R::T pull_piece(const R &receiver, Row r, u32 index) {
	u32 from = index * PIECE, to = min(from + PIECE, r.degree);
	return block_fold(receiver.range(r.vertex, r.first + from, r.first + to, threadIdx.x, BLOCK), receiver.fold);
}

// pull_pieces does the pieces of long rows.
template <typename Fold, typename Form> __device__ __forceinline__ void pull_pieces(const Program *p, const Chunk *c, u64 column, const Scratch *s) {
	Receiver<Fold, Form> receiver(p, c, column);
	typename Fold::T *partial = (typename Fold::T *)s->partial;
	for (u64 i = blockIdx.x; i < s->pieces; i += gridDim.x) {
		Piece piece = s->piece[i];
		typename Fold::T x = pull_piece(receiver, row_of(c, piece.row), piece.index);
		if (threadIdx.x == 0) {
			store(partial + i, x);
		}
	}
}

// join_pieces adds up the pieces of a row, whose first this is, and what the vertex has.
template <typename R> __device__ __forceinline__ void join_pieces(const R &receiver, Row r, const typename R::T *first) {
	u32 parts = (r.degree - 1) / PIECE + 1;
	typename R::T x = receiver.fold.none();
	for (u32 part = lane(); part < parts; part += WARP) {
		x = receiver.fold(x, load(first + part));
	}
	x = warp_fold(x, receiver.fold);
	if (lane() == 0) {
		receiver.add(r.vertex, x);
	}
}

// pull_join puts the pieces of each long row together, a row a warp.
template <typename Fold> __device__ __forceinline__ void pull_join(const Program *p, const Chunk *c, const Scratch *s) {
	Receiver<Fold, AsIs> receiver(p, c, 0);
	const typename Fold::T *partial = (const typename Fold::T *)s->partial;
	for (u64 i = first_index() / WARP; i < s->pieces; i += stride() / WARP) {
		Piece piece = s->piece[i];
		if (piece.index != 0) {
			continue;
		}
		join_pieces(receiver, row_of(c, piece.row), partial + i);
	}
}
