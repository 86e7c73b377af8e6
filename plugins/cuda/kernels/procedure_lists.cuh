// What the kernels of the procedures share: lists of a joined graph, searches in them, queues of vertices,
// and going along lists with their lengths in view.
#pragma once

#include "abi.cuh"

const u32 ALL = 0xffffffff;  // lanes of a warp
const u32 NONE = 0xffffffff; // no vertex

// A list that is longer is gone along by many blocks, or summed by one; a shorter one by a warp.
const u64 LONG = 4096;

// Lists are a CSR of all vertices: v's list is neighbors[offsets[v]] up to neighbors[offsets[v + 1]],
// ascending. Offsets 0: there are none.
struct Lists {
	const u64 *offsets;
	const u32 *neighbors;
};

__device__ inline u64 from(Lists l, u64 v) { return l.offsets ? l.offsets[v] : 0; }
__device__ inline u64 to(Lists l, u64 v) { return l.offsets ? l.offsets[v + 1] : 0; }
__device__ inline u64 length(Lists l, u64 v) { return to(l, v) - from(l, v); }

// The grid's threads share work by strides: a kernel works with any number of blocks.
__device__ inline u64 thread() { return (u64)blockIdx.x * blockDim.x + threadIdx.x; }
__device__ inline u64 threads() { return (u64)gridDim.x * blockDim.x; }
__device__ inline u32 lane() { return threadIdx.x % 32; }

// find is the first place in [at, end) of an ascending list whose vertex, the bits of mask, is not below u; or end.
__device__ inline u64 find(const u32 *list, u64 at, u64 end, u32 u, u32 mask) {
	while (at < end) {
		u64 middle = at + (end - at) / 2;
		if ((list[middle] & mask) < u)
			at = middle + 1;
		else
			end = middle;
	}
	return at;
}

// owner is the row, of so many, in whose list entry stands.
template <class Offset> __device__ u64 owner(const Offset *offsets, u64 rows, u64 entry) {
	u64 low = 0, high = rows; // offsets[low] <= entry < offsets[high]
	while (high - low > 1) {
		u64 middle = low + (high - low) / 2;
		if ((u64)offsets[middle] <= entry)
			low = middle;
		else
			high = middle;
	}
	return low;
}

// append adds the vertices of those lanes that want it to a queue. All lanes of a warp call it.
__device__ inline void append(u32 *queue, u64 *count, bool wanted, u32 v) {
	u32 those = __ballot_sync(ALL, wanted);
	if (those == 0)
		return;
	u64 at = 0;
	if (lane() == 0)
		at = atomicAdd(count, (u64)__popc(those));
	at = __shfl_sync(ALL, at, 0);
	if (wanted)
		queue[at + __popc(those & ((1u << lane()) - 1))] = v;
}

// Work is a queue of vertices whose lists are to be gone along. Kernels are launched twice for it: at first
// they leave out long lists and note whose those are, then, wide, they see to these alone.
//
// Several searches may share a queue: each has its own copy of the vertices, whose numbers begin with first, a
// multiple of vertices.
struct Work {
	const u32 *items;
	u64 count;
	u32 *longs;
	u64 *long_count;
	u64 wide, vertices;
};

// Place is a vertex of a queue, and where its list is.
struct Place {
	u32 vertex, first;
	u64 at, count;
};

__device__ inline Place place(Lists lists, u32 vertices, u32 item) {
	u32 v = item % vertices;
	return {item, item - v, from(lists, v), length(lists, v)};
}

// taken is how many vertices of a queue a warp takes at a time: 32, or fewer of a short one, for all warps to have some.
__device__ inline u64 taken(const Work &work) {
	u64 warps = threads() / 32, each = (work.count + warps - 1) / warps;
	return each < 32 ? each : 32;
}

// place_of is that of the lane's vertex among those taken from base on; of a lane that has none, with an empty list.
__device__ inline Place place_of(Lists lists, const Work &work, u64 base, u64 each) {
	if (lane() < each && base + lane() < work.count)
		return place(lists, (u32)work.vertices, work.items[base + lane()]);
	return {NONE, 0, 0, 0};
}

__device__ inline Place shuffled(Place p, u32 leader) {
	return {__shfl_sync(ALL, p.vertex, leader), __shfl_sync(ALL, p.first, leader), __shfl_sync(ALL, p.at, leader), __shfl_sync(ALL, p.count, leader)};
}

// narrow goes along the lists that are not long: those of as many entries as it takes vertices, or more, with the whole
// warp, one after another, shorter ones with a thread each. (Merrill, Garland, Grimshaw, "Scalable GPU graph traversal", 2012.)
// It calls visit(live, v, first, at) for entry at of v's list, in all lanes of a warp at once; live: in this lane
// there is one.
template <class Visit> __device__ void narrow(Lists lists, Work work, Visit visit) {
	u64 each = taken(work);
	for (u64 base = thread() / 32 * each; base < work.count; base += threads() / 32 * each) {
		Place own = place_of(lists, work, base, each);
		append(work.longs, work.long_count, own.count > LONG, own.vertex);
		if (own.count > LONG)
			own.count = 0;
		for (u32 left = __ballot_sync(ALL, own.count >= each); left != 0; left &= left - 1) {
			Place p = shuffled(own, (u32)__ffs(left) - 1);
			for (u64 at = p.at, end = p.at + p.count; at < end; at += 32)
				visit(at + lane() < end, p.vertex, p.first, at + lane());
		}
		if (own.count >= each)
			own.count = 0;
		for (u64 i = 0; __ballot_sync(ALL, i < own.count) != 0; i++)
			visit(i < own.count, own.vertex, own.first, own.at + i);
	}
}

// TEAM is the least blocks that a long list is for, where the grid has as many.
const u32 TEAM = 32;

// wide goes along the long lists, each with the whole grid, or with a part of it where there are several.
template <class Visit> __device__ void wide(Lists lists, Work work, Visit visit) {
	u64 count = *work.long_count, most = gridDim.x < TEAM ? 1 : gridDim.x / TEAM, teams = count < most ? count : most;
	if (teams == 0)
		return;
	u64 blocks = gridDim.x / teams, team = blockIdx.x / blocks, block = blockIdx.x % blocks;
	if (team >= teams) // what is left over
		return;
	for (u64 i = team; i < count; i += teams) {
		Place p = place(lists, (u32)work.vertices, work.longs[i]);
		for (u64 at = p.at + block * blockDim.x + threadIdx.x - lane(), end = p.at + p.count; at < end; at += blocks * blockDim.x)
			visit(at + lane() < end, p.vertex, p.first, at + lane());
	}
}

template <class Visit> __device__ void expand(Lists lists, Work work, Visit visit) {
	if (work.wide)
		wide(lists, work, visit);
	else
		narrow(lists, work, visit);
}

// total adds up the lanes of a warp: the same in all of them, and always in the same order.
__device__ inline f64 total(f64 x) {
	for (int apart = 16; apart > 0; apart /= 2)
		x += __shfl_xor_sync(ALL, x, apart);
	return x;
}

__device__ inline u64 total(u64 x) {
	for (int apart = 16; apart > 0; apart /= 2)
		x += __shfl_xor_sync(ALL, x, apart);
	return x;
}

// sum_narrow adds up term(first, at) over the list of each vertex, but the long ones, and calls done(v, sum). In
// which order is a matter of the list's length alone.
template <class Term, class Done> __device__ void sum_narrow(Lists lists, Work work, Term term, Done done) {
	u64 each = taken(work);
	for (u64 base = thread() / 32 * each; base < work.count; base += threads() / 32 * each) {
		Place own = place_of(lists, work, base, each);
		append(work.longs, work.long_count, own.count > LONG, own.vertex);
		f64 sum = 0;
		for (u32 left = __ballot_sync(ALL, own.count >= 32 && own.count <= LONG); left != 0; left &= left - 1) {
			u32 leader = (u32)__ffs(left) - 1;
			Place p = shuffled(own, leader);
			f64 part = 0;
			for (u64 i = lane(); i < p.count; i += 32)
				part += term(p.first, p.at + i);
			part = total(part);
			if (lane() == leader)
				sum = part;
		}
		if (own.count < 32)
			for (u64 i = 0; i < own.count; i++)
				sum += term(own.first, own.at + i);
		if (own.vertex != NONE && own.count <= LONG)
			done(own.vertex, sum);
	}
}

// sum_wide does so for the long lists, a block for each.
template <class Term, class Done> __device__ void sum_wide(Lists lists, Work work, Term term, Done done) {
	__shared__ f64 parts[32];
	for (u64 i = blockIdx.x; i < *work.long_count; i += gridDim.x) {
		Place p = place(lists, (u32)work.vertices, work.longs[i]);
		f64 part = 0;
		for (u64 j = threadIdx.x; j < p.count; j += blockDim.x)
			part += term(p.first, p.at + j);
		part = total(part);
		if (lane() == 0)
			parts[threadIdx.x / 32] = part;
		__syncthreads();
		if (threadIdx.x == 0) {
			f64 sum = 0;
			for (u32 warp = 0; warp < blockDim.x / 32; warp++)
				sum += parts[warp];
			done(p.vertex, sum);
		}
		__syncthreads();
	}
}

template <class Term, class Done> __device__ void sum(Lists lists, Work work, Term term, Done done) {
	if (work.wide)
		sum_wide(lists, work, term, done);
	else
		sum_narrow(lists, work, term, done);
}
