// Pull: rows are receivers, and each folds what its list's vertices send. In which order goes by the row's length
// alone, so a sum has the same bits every time, on every card:
//
//	up to SHORT edges   one after another, by one thread
//	below LONG          by FEW lanes, FEW sums side by side, so that a warp has several rows in flight
//	below PIECE         by a warp
//	from PIECE on       by a block for each piece of PIECE edges, then the pieces by a warp
//
// Whoever has several edges to see to asks for what comes along all of them before it needs the first. Nothing is kept in
// shared memory, which the cache of the messages would be short of.
//
// Vertices may be numbered by degree, and the rows of a tile be long together. Those from CUT on are set
// aside, for warps of the whole grid.
#pragma once
#include "fold.cuh"
#include "message.cuh"
#include "scratch.cuh"
#include "tile.cuh"

const u32 SHORT = 7;
const u32 FEW = 8;
const u32 LONG = 128;
const u32 AHEAD = 4; // edges of a thread at once

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

	__device__ __forceinline__ u32 sender(u32 edge) const { return once(neighbors + edge); }

	// receive is what comes to a vertex along an edge, from whom.
	__device__ __forceinline__ T receive(u64 vertex, u32 edge, u32 from) const {
		u64 source = cols_base + from;
		if (!all && !contains(active, source)) {
			return fold.none();
		}
		u64 message = Form::processed ? 0 : __ldg(messages + from);
		return fold.of(along<Form>(p, c, weights, Edge{source, vertex, edge, message}));
	}

	// some folds what comes along AT_ONCE of the edges [edge, to), of which each is so far from the one before. What lies
	// beyond is the last edge again, of which nothing is taken: that costs less than to go another way for it.
	template <u32 AT_ONCE> __device__ __forceinline__ T some(T x, u64 vertex, u32 edge, u32 to, u32 apart) const {
		u32 at[AT_ONCE], from[AT_ONCE];
		T came[AT_ONCE];
		for (u32 i = 0; i < AT_ONCE; i++) {
			at[i] = min(edge + i * apart, to - 1);
			from[i] = sender(at[i]);
		}
		for (u32 i = 0; i < AT_ONCE; i++) {
			came[i] = receive(vertex, at[i], from[i]);
		}
		for (u32 i = 0; i < AT_ONCE; i++) {
			x = fold(x, edge + i * apart < to ? came[i] : fold.none());
		}
		return x;
	}

	// range folds what comes along edges [from, to) and by so many threads, of which this is one.
	__device__ __forceinline__ T range(u64 vertex, u32 from, u32 to, u32 thread, u32 threads) const {
		T x = fold.none();
#pragma unroll 1
		for (u32 edge = from + thread; edge < to; edge += AHEAD * threads) {
			x = some<AHEAD>(x, vertex, edge, to, threads);
		}
		return x;
	}

	// add combines x with what the vertex has; nobody else writes it meanwhile.
	__device__ __forceinline__ void add(u64 vertex, T x) const {
		T *acc = (T *)p->acc + vertex;
		store(acc, fold(load(acc), x));
	}
};

// pull_short does a short row that has edges.
template <typename R> __device__ __forceinline__ void pull_short(const R &receiver, Row r) {
	receiver.add(r.vertex, receiver.template some<SHORT>(receiver.fold.none(), r.vertex, r.first, r.first + r.degree, 1));
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

// pull_tile does the rows of a tile, of which this thread's is r, but those that are cut.
template <typename R> __device__ __forceinline__ void pull_tile(const R &receiver, Row r) {
	if (r.degree > 0 && r.degree <= SHORT) {
		pull_short(receiver, r);
	}
	pull_by<FEW>(receiver, r, r.degree > SHORT && r.degree < LONG);
	pull_by<WARP>(receiver, r, r.degree >= LONG && r.degree < CUT);
}

// pull_row does a row that was set aside, by a warp.
template <typename R> __device__ __forceinline__ void pull_row(const R &receiver, Row r) {
	typename R::T x = warp_fold(receiver.range(r.vertex, r.first, r.first + r.degree, lane(), WARP), receiver.fold);
	if (lane() == 0) {
		receiver.add(r.vertex, x);
	}
}

// pull does all rows but long ones, which it cuts in pieces or sets aside.
template <typename Fold, typename Form> __device__ __forceinline__ void pull(const Program *p, const Chunk *c, u64 column, Scratch *s) {
	Receiver<Fold, Form> receiver(p, c, column);
	for (u64 base = (u64)blockIdx.x * BLOCK; base < c->rows; base += stride()) {
		Row r = row_of(c, base + threadIdx.x);
		if (r.degree >= PIECE) {
			cut(s, base + threadIdx.x, r.degree);
		} else if (r.degree >= CUT) {
			set_aside(s, base + threadIdx.x);
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

// pull_pieces does the pieces of long rows, and the rows that were set aside.
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
	for (u64 i = first_index() / WARP; i < s->rows; i += stride() / WARP) {
		pull_row(receiver, row_of(c, row_aside(s, i)));
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
