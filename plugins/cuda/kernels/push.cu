// Push: rows are senders, and lower the keys of their targets. Rows that do not send cost a look at a bit.
#include "batch.cuh"
#include "keys.cuh"
#include "message.cuh"
#include "scratch.cuh"
#include "tile.cuh"

// Sender is what the edges of a chunk need beside the row's own.
template <u64 TYPE, typename Form> struct Sender {
	const Program *p;
	const Chunk *c;
	const Scratch *s;
	const u32 *neighbors;
	const f64 *weights;
	i64 *keys; // of the chunk's columns
	u64 cols_base;
	i64 flip;

	__device__ __forceinline__ Sender(const Program *p, const Chunk *c, u64 column, const Scratch *s)
		: p(p), c(c), s(s), neighbors(c->neighbors), weights(c->columns[column]), keys((i64 *)p->acc + c->cols_base),
		  cols_base(c->cols_base), flip(flip_of(p->reduce)) {}

	// message is what v sends but for the edge.
	__device__ __forceinline__ u64 message(u64 v) const {
		return Form::processed ? 0 : penstock_process(p, &s->neutral, v, v, 0);
	}

	__device__ __forceinline__ void send(u64 vertex, u64 message, u32 edge) const {
		u32 to = once(neighbors + edge);
		u64 bits = along<Form>(p, c, weights, Edge{vertex, cols_base + to, edge, message});
		lower(keys + to, key_of(TYPE, bits, flip));
	}
};

// put_off cuts a long row in pieces, for push_pieces.
__device__ inline void put_off(Scratch *s, const Chunk *c, u64 row, u32 degree) {
	u64 at = cut(s, row, degree), parts = (degree - 1) / PIECE + 1;
#pragma unroll 1
	for (u64 i = at; i < at + parts; i++) {
		store(s->partial + i, (u64)c);
	}
}

// push sends along the edges of all rows but long ones, which it puts off.
template <u64 TYPE, typename Form>
__device__ __forceinline__ void push(const Program *p, const Chunk *const (&chunks)[BATCH], const u64 *senders, u64 column, Scratch *s) {
	__shared__ Batch batch;
	__shared__ Tile tile;
	__shared__ u64 vertices[BLOCK], messages[BLOCK];
	gather(batch, chunks);
	u64 edges = 0;
	for (u32 at = blockIdx.x; at < batch.tiles; at += gridDim.x) {
		u32 slot = chunk_of(batch, at);
		const Chunk *c = batch.chunk[slot];
		u64 row = (u64)(at - batch.before[slot]) * BLOCK + threadIdx.x;
		Row r = sending_row(c, row, senders);
		edges += r.degree;
		if (r.degree >= CUT) {
			put_off(s, c, row, r.degree);
			r.degree = 0;
		}
		if (!__syncthreads_or(r.degree > 0)) {
			continue;
		}
		Sender<TYPE, Form> sender(p, c, column, s);
		if (r.degree > 0) {
			vertices[threadIdx.x] = r.vertex;
			messages[threadIdx.x] = sender.message(r.vertex);
		}
		u32 count = lay(tile, r.first, r.degree);
		for (u32 e = threadIdx.x; e < count; e += BLOCK) {
			u32 slot = slot_of(tile, e);
			sender.send(vertices[slot], messages[slot], edge_of(tile, slot, e));
		}
		__syncthreads(); // the tile may be laid anew
	}
	edges = block_sum(edges);
	if (threadIdx.x == 0 && edges > 0) {
		count(&p->counters->edges, edges);
	}
}

// push_pieces sends along the edges of long rows, a piece a block.
template <u64 TYPE, typename Form> __device__ __forceinline__ void push_pieces(const Program *p, u64 column, const Scratch *s) {
	for (u64 i = blockIdx.x; i < s->pieces; i += gridDim.x) {
		const Chunk *c = (const Chunk *)s->partial[i];
		Sender<TYPE, Form> sender(p, c, column, s);
		Piece piece = s->piece[i];
		Row r = row_of(c, piece.row);
		u64 message = sender.message(r.vertex);
		u32 end = min((piece.index + 1) * PIECE, r.degree);
		for (u32 e = piece.index * PIECE + threadIdx.x; e < end; e += BLOCK) {
			sender.send(r.vertex, message, r.first + e);
		}
	}
}

#define PUSH(name, TYPE, Form)                                                                                            \
	extern "C" __global__ void push_##name(const Program *p, const u64 *senders, u64 column, Scratch *s, BATCH_CHUNKS) {    \
		const Chunk *const chunks[BATCH] = BATCH_LIST;                                                                      \
		push<TYPE, Form>(p, chunks, senders, column, s);                                                                    \
	}                                                                                                                       \
	extern "C" __global__ void push_pieces_##name(const Program *p, u64 column, const Scratch *s) {                         \
		push_pieces<TYPE, Form>(p, column, s);                                                                              \
	}

// The key of a bool is got as that of an integer.
PUSH(int_as_is, INT, AsIs)
PUSH(int_processed, INT, Processed)
PUSH(float_as_is, FLOAT, AsIs)
PUSH(float_plus, FLOAT, Plus)
PUSH(float_times, FLOAT, Times)
PUSH(float_at_most, FLOAT, AtMost)
PUSH(float_at_least, FLOAT, AtLeast)
PUSH(float_processed, FLOAT, Processed)
