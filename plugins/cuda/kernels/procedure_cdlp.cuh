// Label propagation. A label is the number of the vertex whose id it is. Votes are counted exactly: of few
// neighbours by a warp and of more by a block, in a hash table in shared memory; of very many by a block, in an
// array of all labels. (Kozawa, Amagasa, Kitagawa, "GPU-accelerated graph clustering via parallel label
// propagation", 2017.) The counts do not depend on the order in which they come, and of several labels with the
// most votes the one of the smallest id wins; so the result does not either.
#pragma once

#include "procedure_lists.cuh"

const u32 CDLP_SHORT = 256, CDLP_MIDDLE = 3072; // votes that a warp's, a block's table is for
const u32 CDLP_WARP_SLOTS = 512, CDLP_BLOCK_SLOTS = 4096, CDLP_THREADS = 256;

struct Ballot {
	Lists out, in;
	const u32 *label;
};

__device__ __forceinline__ static u64 votes(const Ballot &b, u64 v) { return length(b.out, v) + length(b.in, v); }

// vote is the label of v's i-th neighbour.
__device__ __forceinline__ static u32 vote(const Ballot &b, u64 v, u64 i) {
	u64 out = length(b.out, v);
	u32 u = i < out ? b.out.neighbors[b.out.offsets[v] + i] : b.in.neighbors[b.in.offsets[v] + (i - out)];
	return b.label[u];
}

// Choice is a label and what speaks for it.
struct Choice {
	u32 label, count; // count 0: none
	i64 id;
};

__device__ __forceinline__ static Choice better(Choice a, Choice b) {
	bool second = b.count > a.count || (b.count == a.count && b.count > 0 && b.id < a.id);
	return {second ? b.label : a.label, second ? b.count : a.count, second ? b.id : a.id}; // a choice between places would put them in memory
}

// best is the best choice of a warp's lanes, in all of them.
__device__ __forceinline__ static Choice best(Choice c) {
	for (int apart = 16; apart > 0; apart /= 2) {
		Choice other;
		other.label = __shfl_xor_sync(ALL, c.label, apart);
		other.count = __shfl_xor_sync(ALL, c.count, apart);
		other.id = __shfl_xor_sync(ALL, c.id, apart);
		c = better(c, other);
	}
	return c;
}

// best_of_block is the best choice of a block's threads, in the first one.
__device__ __forceinline__ static Choice best_of_block(Choice c, Choice *warps) {
	c = best(c);
	if (lane() == 0)
		warps[threadIdx.x / 32] = c;
	__syncthreads();
	if (threadIdx.x == 0)
		for (u32 warp = 1; warp < CDLP_THREADS / 32; warp++)
			c = better(c, warps[warp]);
	return c;
}

// Table counts votes by label: open addressing, slots a power of two.
struct Table {
	u32 *labels, *counts;
	u32 slots;
};

__device__ __forceinline__ static void add(Table t, u32 label) {
	u32 mixed = label * 0x9e3779b1u; // Knuth's multiplicative hash, of which the high bits are the good ones
	for (u32 slot = (mixed ^ mixed >> 16) & (t.slots - 1);; slot = (slot + 1) & (t.slots - 1)) {
		u32 found = atomicCAS(&t.labels[slot], NONE, label);
		if (found == NONE || found == label) {
			atomicAdd(&t.counts[slot], 1u);
			return;
		}
	}
}

__device__ __forceinline__ static Choice choice(Table t, u32 slot, const i64 *ids) {
	u32 label = t.labels[slot];
	Choice c = {label, t.counts[slot], 0};
	if (label != NONE)
		c.id = ids[label];
	return c;
}

// elect gives v its next label: its own without votes.
__device__ __forceinline__ static void elect(const Ballot &b, u64 v, Choice c, u32 *next, u64 *changed) {
	u32 winner = c.count ? c.label : b.label[v];
	next[v] = winner;
	if (winner != b.label[v])
		*changed = 1;
}

// procedure_cdlp_sort notes the vertices that a warp's or a block's table is too small for.
extern "C" __global__ void procedure_cdlp_sort(u64 vertices, const u64 *out_offsets, const u64 *in_offsets,
	u32 *middle, u64 *middle_count, u32 *many, u64 *many_count) {
	Ballot b = {{out_offsets, 0}, {in_offsets, 0}, 0};
	for (u64 base = thread() - lane(); base < vertices; base += threads()) {
		u64 v = base + lane(), count = v < vertices ? votes(b, v) : 0;
		append(middle, middle_count, count > CDLP_SHORT && count <= CDLP_MIDDLE, (u32)v);
		append(many, many_count, count > CDLP_MIDDLE, (u32)v);
	}
}

// procedure_cdlp_warps elects for the vertices of few neighbours.
extern "C" __global__ void procedure_cdlp_warps(u64 vertices, const u64 *out_offsets, const u32 *out_neighbors, const u64 *in_offsets, const u32 *in_neighbors,
	const i64 *ids, const u32 *label, u32 *next, u64 *changed) {
	__shared__ u32 labels[CDLP_THREADS / 32][CDLP_WARP_SLOTS];
	__shared__ u32 counts[CDLP_THREADS / 32][CDLP_WARP_SLOTS];
	Ballot b = {{out_offsets, out_neighbors}, {in_offsets, in_neighbors}, label};
	for (u64 v = thread() / 32; v < vertices; v += threads() / 32) {
		u64 count = votes(b, v);
		if (count > CDLP_SHORT)
			continue;
		Table table = {labels[threadIdx.x / 32], counts[threadIdx.x / 32], 32};
		while (table.slots < 2 * count)
			table.slots *= 2;
		for (u32 slot = lane(); slot < table.slots; slot += 32)
			table.labels[slot] = NONE, table.counts[slot] = 0;
		__syncwarp(ALL);
		for (u64 i = lane(); i < count; i += 32)
			add(table, vote(b, v, i));
		__syncwarp(ALL);
		Choice c = {NONE, 0, 0};
		for (u32 slot = lane(); slot < table.slots; slot += 32)
			c = better(c, choice(table, slot, ids));
		c = best(c);
		if (lane() == 0)
			elect(b, v, c, next, changed);
		__syncwarp(ALL);
	}
}

// procedure_cdlp_blocks elects for vertices of more neighbours.
extern "C" __global__ void procedure_cdlp_blocks(const u32 *items, u64 item_count, const u64 *out_offsets, const u32 *out_neighbors, const u64 *in_offsets, const u32 *in_neighbors,
	const i64 *ids, const u32 *label, u32 *next, u64 *changed) {
	__shared__ u32 labels[CDLP_BLOCK_SLOTS];
	__shared__ u32 counts[CDLP_BLOCK_SLOTS];
	__shared__ Choice warps[CDLP_THREADS / 32];
	Ballot b = {{out_offsets, out_neighbors}, {in_offsets, in_neighbors}, label};
	Table table = {labels, counts, CDLP_BLOCK_SLOTS};
	for (u64 item = blockIdx.x; item < item_count; item += gridDim.x) {
		u64 v = items[item], count = votes(b, v);
		for (u32 slot = threadIdx.x; slot < table.slots; slot += CDLP_THREADS)
			labels[slot] = NONE, counts[slot] = 0;
		__syncthreads();
		for (u64 i = threadIdx.x; i < count; i += CDLP_THREADS)
			add(table, vote(b, v, i));
		__syncthreads();
		Choice c = {NONE, 0, 0};
		for (u32 slot = threadIdx.x; slot < table.slots; slot += CDLP_THREADS)
			c = better(c, choice(table, slot, ids));
		c = best_of_block(c, warps);
		if (threadIdx.x == 0)
			elect(b, v, c, next, changed);
		__syncthreads();
	}
}

// procedure_cdlp_arrays elects for vertices of very many neighbours. Each block has an array of a count for every
// label, which is all zeros between elections.
extern "C" __global__ void procedure_cdlp_arrays(const u32 *items, u64 item_count, const u64 *out_offsets, const u32 *out_neighbors, const u64 *in_offsets, const u32 *in_neighbors,
	const i64 *ids, const u32 *label, u32 *next, u64 *changed, u64 vertices, u32 *arrays) {
	__shared__ Choice warps[CDLP_THREADS / 32];
	Ballot b = {{out_offsets, out_neighbors}, {in_offsets, in_neighbors}, label};
	u32 *counts = arrays + blockIdx.x * vertices;
	for (u64 item = blockIdx.x; item < item_count; item += gridDim.x) {
		u64 v = items[item], count = votes(b, v);
		for (u64 i = threadIdx.x; i < count; i += CDLP_THREADS)
			atomicAdd(&counts[vote(b, v, i)], 1u);
		__syncthreads();
		Choice c = {NONE, 0, 0};
		for (u64 i = threadIdx.x; i < count; i += CDLP_THREADS) {
			u32 l = vote(b, v, i);
			if (counts[l] >= c.count) {
				Choice other = {l, counts[l], ids[l]};
				c = better(c, other);
			}
		}
		c = best_of_block(c, warps);
		if (threadIdx.x == 0)
			elect(b, v, c, next, changed);
		__syncthreads();
		for (u64 i = threadIdx.x; i < count; i += CDLP_THREADS)
			counts[vote(b, v, i)] = 0;
		__syncthreads();
	}
}
