// Least sums of weights along paths, of which none is negative, by near and far (Davidson, Baxter, Garland,
// Owens, "Work-Efficient Parallel GPU Methods for Single-Source Shortest Paths", IPDPS 2014): whoever is
// nearer than a bound waits in a list, and all others who wait are a set. Once the list is empty, the bound
// goes to a width beyond the least of the set. Distances are the bits of doubles that are not negative,
// which compare as they do; they are lowered in the state column itself.
//
//	solve_nearfar_survey         are the weights of the kind we take
//	solve_nearfar_sample         how wide a bound is
//	solve_nearfar_begin          who is active is far
//	solve_nearfar_least, _gather the next bound, if nobody is near; those within it are near
//	solve_nearfar_relax, _long   the edges of those near
//	solve_nearfar_turn           ends a round
#pragma once

#include "number.cuh"
#include "solve_tile.cuh"

// NearFar is what a round tells the next, and the host.
struct NearFar {
	u64 near;    // in the list of this round
	u64 found;   // in that of the next so far
	u64 passed;  // the bound before: who is far and nearer than that has sent meanwhile
	u64 least;   // of those who are far; the bound is a width beyond
	u64 width;   // bits
	u64 rounds;  // that have ended; lists are used by turns
	u64 longs;
	u64 looked;  // edges that were relaxed
	u64 refused; // not 0: a weight or a distance is not of the kind we take
};

// bound_of is a width beyond least, and beyond least in any case: bits count up.
__device__ __forceinline__ u64 bound_of(const NearFar *nf) {
	if (nf->least >= INFINITE) return INFINITE;
	u64 bound = bits_of(float_of(nf->least) + float_of(nf->width));
	return bound > nf->least ? bound : nf->least + 1;
}

__device__ __forceinline__ bool is_over(const NearFar *nf) { return nf->near == 0 && nf->least > INFINITE; }

__device__ __forceinline__ u32 *list_of(u32 *lists, u64 vertices, u64 round) { return lists + (round % 2) * vertices; }

__device__ __forceinline__ u64 *distances(const Program *program) { return (u64 *)program->columns[COLUMN_STATE]; }

// solve_nearfar_survey refuses weights that are negative or NaN.
extern "C" __global__ void solve_nearfar_survey(const Cover *cover, NearFar *nf, u64 column) {
	bool refused = false;
	for (u64 i = 0; i < cover->chunks; i++) {
		const Chunk *chunk = cover->chunk[i];
		for (u64 e = first_index(); e < chunk->edges; e += stride()) refused = refused || !(once(chunk->columns[column] + e) >= 0);
	}
	if (refused) atomicOr(&nf->refused, (u64)1);
}

// weight_at is a weight of the e-th edge of all.
__device__ __forceinline__ f64 weight_at(const Cover *cover, u64 column, u64 e) {
	u64 i = 0;
	for (; e >= cover->chunk[i]->edges; i++) e -= cover->chunk[i]->edges;
	return __ldg(cover->chunk[i]->columns[column] + e);
}

// solve_nearfar_sample chooses the width: 32 times the mean weight over the mean degree, as the paper has it for
// warps of 32. The mean is that of as many evenly spread edges as a block has threads. It is for one block.
extern "C" __global__ void solve_nearfar_sample(const Program *program, const Cover *cover, NearFar *nf, u64 column, u64 edges) {
	__shared__ f64 sum[BLOCK];
	f64 weight = edges > 0 ? weight_at(cover, column, edges / BLOCK * threadIdx.x + edges % BLOCK * threadIdx.x / BLOCK) : 0;
	sum[threadIdx.x] = weight < 1e300 ? weight : 0;
	for (u32 half = BLOCK / 2; half > 0; half /= 2) {
		__syncthreads();
		if (threadIdx.x < half) sum[threadIdx.x] += sum[threadIdx.x + half];
	}
	if (threadIdx.x != 0) return;
	f64 degree = (f64)edges / (f64)program->vertices, width = WARP * (sum[0] / BLOCK) / (degree > 1 ? degree : 1);
	nf->width = bits_of(width > 0 ? width : 1);
}

extern "C" __global__ void solve_nearfar_begin(const Program *program, NearFar *nf, u32 *far) {
	const u32 *active = (const u32 *)program->active;
	for (u64 v = first_index(); v < program->vertices; v += stride()) {
		if (v % 32 == 0) far[v / 32] = active[v / 32];
		if (has(active, v) && load(distances(program) + v) > INFINITE) atomicOr(&nf->refused, (u64)1);
	}
}

// solve_nearfar_least finds the least distance of those who are far, if nobody is near, and takes those out
// of the set who have sent since they came in.
extern "C" __global__ void solve_nearfar_least(const Program *program, NearFar *nf, u32 *far) {
	if (nf->near != 0) return;
	u64 least = ~(u64)0, end = (program->vertices + 31) / 32;
	for (u64 word = first_index(); word < end; word += stride()) {
		u32 gone = 0;
		for (u32 rest = far[word]; rest != 0; rest &= rest - 1) {
			u32 bit = (u32)__ffs((int)rest) - 1;
			u64 distance = load(distances(program) + word * 32 + bit);
			if (distance < nf->passed) gone |= 1u << bit;
			else if (distance < least) least = distance;
		}
		if (gone != 0) far[word] &= ~gone;
	}
	least = warp_fold(least, [](u64 a, u64 b) { return a < b ? a : b; });
	if (lane() == 0 && least <= INFINITE) atomicMin(&nf->least, least);
}

// solve_nearfar_gather puts those who are within the bound into this round's list, if nobody is there. They
// are counted in found, since near is what all blocks go by.
extern "C" __global__ void solve_nearfar_gather(const Program *program, NearFar *nf, u32 *lists, u32 *listed, u32 *far) {
	if (nf->near != 0 || is_over(nf)) return;
	u64 bound = bound_of(nf), end = (program->vertices + BLOCK - 1) / BLOCK * BLOCK;
	u32 *list = list_of(lists, program->vertices, nf->rounds);
	for (u64 v = first_index(); v < end; v += stride()) {
		bool nearer = v < program->vertices && has(far, v) && load(distances(program) + v) < bound;
		append(list, &nf->found, nearer, (u32)v);
		u32 word = __ballot_sync(EVERY_LANE, nearer);
		if (lane() == 0 && word != 0) {
			far[v / 32] &= ~word;
			listed[v / 32] |= word;
		}
	}
}

extern "C" __global__ void solve_nearfar_start(NearFar *nf) {
	if (threadIdx.x != 0 || nf->near != 0) return;
	nf->near = nf->found;
	nf->found = 0;
}

// Relax offers the targets of edges the way through their source, whose distance is sent.
struct Relax {
	const Program *program;
	NearFar *nf;
	u64 column, bound;
	u32 *next, *listed, *far;

	__device__ void operator()(bool within, const Chunk *chunk, u64 edge, u64 sent) {
		u64 v = 0;
		bool nearer = false;
		if (within) {
			v = target_of(chunk, edge);
			nearer = improve(v, bits_of(float_of(sent) + __ldg(chunk->columns[column] + edge)));
		}
		append(next, &nf->found, nearer, (u32)v);
	}

	// improve tells whether v is to go into the next list. Whoever clears the mark of v reads its distance after.
	__device__ bool improve(u64 v, u64 distance) {
		if (!lower(distances(program) + v, distance)) return false;
		if (distance < bound) return insert_after(listed, v);
		insert(far, v);
		return false;
	}
};

// departing is the distance that v sends. From here on v may be listed again.
__device__ __forceinline__ u64 departing(const Program *program, u32 *listed, u64 v) {
	withdraw_before(listed, v);
	return *(volatile u64 *)(distances(program) + v);
}

extern "C" __global__ void solve_nearfar_relax(const Program *program, const Cover *cover, NearFar *nf, u64 column, u32 *lists, u32 *listed, u32 *far, LongRow *rows) {
	__shared__ Tile tile;
	const u32 *list = list_of(lists, program->vertices, nf->rounds);
	Relax relax{program, nf, column, bound_of(nf), list_of(lists, program->vertices, nf->rounds + 1), listed, far};
	u64 looked = 0;
	for (u64 base = (u64)blockIdx.x * BLOCK; base < nf->near; base += stride()) {
		u64 at = base + threadIdx.x, v = 0, sent = 0;
		bool some = at < nf->near;
		if (some) sent = departing(program, listed, v = list[at]);
		looked += visit_edges(&tile, cover, some, v, sent, LongRows(program, &nf->longs, rows), relax);
	}
	tally(&nf->looked, looked);
}

extern "C" __global__ void solve_nearfar_long(const Program *program, NearFar *nf, u64 column, u32 *lists, u32 *listed, u32 *far, LongRow *rows) {
	Relax relax{program, nf, column, bound_of(nf), list_of(lists, program->vertices, nf->rounds + 1), listed, far};
	visit_long(LongRows(program, &nf->longs, rows), relax);
}

extern "C" __global__ void solve_nearfar_turn(NearFar *nf) {
	if (threadIdx.x != 0) return;
	nf->near = nf->found;
	nf->found = nf->longs = 0;
	nf->rounds++;
	if (nf->near != 0) return;
	nf->passed = bound_of(nf);
	nf->least = ~(u64)0;
}
