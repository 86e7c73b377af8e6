// Kernels over vertices: the first state, aggregates, messages, the next state.
#include "bitmap.cuh"
#include "keys.cuh"
#include "lowered.cuh"
#include "scratch.cuh"

// begin lays out the scratch.
extern "C" __global__ void begin(Scratch *s, u64 neutral_weight, u64 pieces) {
	if (first_index() != 0) {
		return;
	}
	s->weight = neutral_weight;
	s->pieces = s->rows = 0;
	s->room = pieces;
	s->piece = (Piece *)(s + 1);
	s->partial = (u64 *)(s->piece + pieces);
	s->neutral = Chunk{};
	s->neutral.rows = s->neutral.edges = 1;
	for (int i = 0; i < MAX_EDGE_COLUMNS; i++) {
		s->neutral.columns[i] = (const f64 *)&s->weight;
	}
}

// first_of is the first state column's value at v.
static __device__ __forceinline__ u64 first_of(const Program *p, u64 v) {
	const u8 *first = p->columns[COLUMN_STATE];
	return p->first_type == BOOL ? load(first + v) : load((const u64 *)first + v);
}

static __device__ __forceinline__ void set_first(const Program *p, u64 v, u64 bits) {
	u8 *first = p->columns[COLUMN_STATE];
	if (p->first_type == BOOL) {
		store(first + v, (u8)bits);
	} else {
		store((u64 *)first + v, bits);
	}
}

// moved is the change by norm, with that of one more vertex: values that are equal, infinities too, differ by 0.
static __device__ __forceinline__ f64 moved(const Program *p, f64 change, u64 before, u64 after) {
	f64 old = as_float(p->first_type, before), now = as_float(p->first_type, after);
	if (p->norm == NO_NORM || old == now) {
		return change;
	}
	f64 by = float_of(bits_of(now - old) & ~SIGN);
	return p->norm == L_INF ? greatest(change, by) : change + by;
}

// tally keeps what the threads of a block have counted and summed.
static __device__ __forceinline__ void tally(Scratch *s, u64 count, f64 sum, u64 norm) {
	count = block_sum(count);
	sum = block_fold(sum, [=](f64 a, f64 b) { return norm == L_INF ? greatest(a, b) : a + b; });
	if (threadIdx.x == 0) {
		s->tallies[blockIdx.x] = Tally{count, sum};
	}
}

// all_of puts the tallies of blocks together, in one block.
static __device__ __forceinline__ Tally all_of(const Scratch *s, u64 blocks, u64 norm) {
	Tally t = {};
	for (u64 i = threadIdx.x; i < blocks; i += BLOCK) {
		t.count += s->tallies[i].count;
		t.sum = norm == L_INF ? greatest(t.sum, s->tallies[i].sum) : t.sum + s->tallies[i].sum;
	}
	t.count = block_sum(t.count);
	t.sum = block_fold(t.sum, [=](f64 a, f64 b) { return norm == L_INF ? greatest(a, b) : a + b; });
	return t;
}

// total tells the host what a kernel before it has tallied.
extern "C" __global__ void total(const Program *p, const Scratch *s, u64 blocks) {
	Tally t = all_of(s, blocks, p->norm);
	if (threadIdx.x == 0) {
		p->counters->active = t.count;
		p->counters->change = t.sum;
	}
}

// init gives every vertex its first state, and finds who sends first.
extern "C" __global__ void init(const Program *p, Scratch *s) {
	u64 n = p->vertices, active = 0;
	u64 identity = identity_of(p->reduce, p->first_type), none = nothing(p);
	for (u64 base = (u64)blockIdx.x * BLOCK; base < n; base += stride()) {
		u64 v = base + threadIdx.x;
		bool sends = false;
		if (v < n) {
			penstock_init(p, v);
			sends = p->activity == ALWAYS || first_of(p, v) != identity;
			store(p->acc + v, none);
		}
		active += mark(p->active, v, n, sends);
	}
	tally(s, active, 0, p->norm);
}

// forget empties the accumulators.
extern "C" __global__ void forget(const Program *p) {
	u64 none = nothing(p);
	for (u64 v = first_index(); v < p->vertices; v += stride()) {
		store(p->acc + v, none);
	}
}

// aggregate sums an aggregate over each block's vertices, aggregate_total over the blocks.
extern "C" __global__ void aggregate(const Program *p, u64 k, Scratch *s) {
	f64 sum = 0;
	for (u64 v = first_index(); v < p->vertices; v += stride()) {
		sum += float_of(penstock_aggregate(p, k, v));
	}
	tally(s, 0, sum, L1);
}

extern "C" __global__ void aggregate_total(const Program *p, u64 k, const Scratch *s, u64 blocks) {
	Tally t = all_of(s, blocks, L1);
	if (threadIdx.x == 0) {
		p->aggregates[k] = t.sum;
	}
}

// keep_message keeps what a vertex sends but for what the edge adds, to be read once an edge by those that
// receive it; of one that does not send, what leaves them as they are.
static __device__ __forceinline__ void keep_message(const Program *p, const Scratch *s, u64 v, u64 identity) {
	store(p->messages + v, contains(p->active, v) ? penstock_process(p, &s->neutral, v, v, 0) : identity);
}

extern "C" __global__ void messages(const Program *p, const Scratch *s) {
	u64 identity = identity_of(p->reduce, p->acc_type);
	for (u64 v = first_index(); v < p->vertices; v += stride()) {
		keep_message(p, s, v, identity);
	}
}

// messages_aggregate is messages, and the first aggregate, for one look at the state.
extern "C" __global__ void messages_aggregate(const Program *p, Scratch *s) {
	u64 identity = identity_of(p->reduce, p->acc_type);
	f64 sum = 0;
	for (u64 v = first_index(); v < p->vertices; v += stride()) {
		sum += float_of(penstock_aggregate(p, 0, v));
		keep_message(p, s, v, identity);
	}
	tally(s, 0, sum, L1);
}

// apply gives the vertices of an interval their next state, empties their accumulators, and finds who sends next.
extern "C" __global__ void apply(const Program *p, u64 from, u64 to, Scratch *s) {
	u64 active = 0, none = nothing(p);
	f64 change = 0;
	for (u64 base = from + (u64)blockIdx.x * BLOCK; base < to; base += stride()) {
		u64 v = base + threadIdx.x;
		bool sends = false;
		if (v < to) {
			if (compares(p->reduce)) {
				store(p->acc + v, value_of(p->acc_type, (i64)load(p->acc + v), flip_of(p->reduce)));
			}
			u64 before = first_of(p, v);
			penstock_apply(p, v);
			u64 after = first_of(p, v);
			store(p->acc + v, none);
			sends = p->activity == ALWAYS || before != after;
			change = moved(p, change, before, after);
		}
		active += mark(p->active, v, to, sends);
	}
	tally(s, active, change, p->norm);
}

// improved is apply of one vertex for a program without an Apply of its own, and tells whether the state changes.
static __device__ __forceinline__ bool improved(const Program *p, u64 v, u64 none, f64 *change) {
	i64 key = (i64)load(p->acc + v);
	if ((u64)key == none) {
		return false;
	}
	store(p->acc + v, none);
	i64 flip = flip_of(p->reduce);
	u64 before = first_of(p, v), after = value_of(p->acc_type, key, flip);
	if (key >= key_of(p->first_type, before, flip)) {
		return false;
	}
	set_first(p, v, after);
	*change = moved(p, *change, before, after);
	return true;
}

// improve is apply where what has come, if it is better, is the next state: who has received nothing is left alone.
extern "C" __global__ void improve(const Program *p, u64 from, u64 to, Scratch *s) {
	u64 active = 0, none = nothing(p);
	f64 change = 0;
	for (u64 base = from + (u64)blockIdx.x * BLOCK; base < to; base += stride()) {
		u64 v = base + threadIdx.x;
		bool better = v < to && improved(p, v, none, &change);
		active += mark(p->active, v, to, v < to && (better || p->activity == ALWAYS));
	}
	tally(s, active, change, p->norm);
}

// arrive is improve that leaves active who is.
extern "C" __global__ void arrive(const Program *p, Scratch *s) {
	u64 active = 0, none = nothing(p), n = p->vertices;
	f64 change = 0;
	for (u64 base = (u64)blockIdx.x * BLOCK; base < n; base += stride()) {
		u64 v = base + threadIdx.x;
		active += mark_more(p->active, v, n, v < n && improved(p, v, none, &change));
	}
	tally(s, active, change, p->norm);
}

// depart takes those of a set who are active out of the active set, to send.
extern "C" __global__ void depart(const Program *p, const u64 *set, u64 *departing, Scratch *s) {
	u64 words = (p->vertices + 63) / 64, going = 0;
	for (u64 i = first_index(); i < words; i += stride()) {
		u64 active = load(p->active + i), some = active & load(set + i);
		store(departing + i, some);
		store(p->active + i, active & ~some);
		going += __popcll(some);
	}
	tally(s, going, 0, p->norm);
}
