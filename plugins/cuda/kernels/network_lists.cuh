// Lists of edges at one end of all vertices, which chunks bring. Those of vertex v have room from begin[v] to
// begin[v + 1]; what has come ends at end[v].
#pragma once
#include "block.cuh"
#include "memory.cuh"
#include "network_function.cuh"

// What may be wrong with lists, as bits.
const u64 TOO_MANY = 1; // a vertex has more edges than its degree says
const u64 MISSING = 2;  // or fewer

const u32 NOBODY = 0xffffffff; // no vertex: it stands last in a list, and is then left out

// Entries are those of all lists: vertices, and so many properties, those of all edges after each other.
struct Entries {
	u32 *others;
	f32 *properties;
	u64 count, edges;
};

__device__ __forceinline__ u32 order_of(f32 x) { // of numbers as of these
	u32 bits = __float_as_uint(x);
	return bits >> 31 ? ~bits : bits | 0x80000000;
}

__device__ __forceinline__ bool before(const Entries &l, u64 x, u64 y) {
	u32 a = load(l.others + x), b = load(l.others + y);
	for (u64 k = 0; a == b && k < l.count; k++) {
		a = order_of(load(l.properties + k * l.edges + x));
		b = order_of(load(l.properties + k * l.edges + y));
	}
	return a < b;
}

template <typename T> __device__ __forceinline__ void exchange(T *p, u64 x, u64 y) {
	T was = load(p + x);
	store(p + x, load(p + y));
	store(p + y, was);
}

__device__ __forceinline__ void exchange(const Entries &l, u64 x, u64 y) {
	exchange(l.others, x, y);
	for (u64 k = 0; k < l.count; k++) {
		exchange(l.properties + k * l.edges, x, y);
	}
}

// heapsort (Williams 1964) takes no memory. Lists come sorted but for pieces that come in another order.
__device__ __forceinline__ void heapsort(const Entries &l, u64 from, u64 size) {
	u64 heaps = size / 2, left = size, at = 0, child = 1; // an entry sinks from at to where it belongs
	while (left > 1) {
		child += child + 1 < left && before(l, from + child, from + child + 1);
		if (child < left && before(l, from + at, from + child)) {
			exchange(l, from + at, from + child);
			at = child;
		} else if (heaps > 0) {
			at = --heaps;
		} else {
			exchange(l, from, from + --left);
			at = 0;
		}
		child = 2 * at + 1;
	}
}

// network_take takes the lists of a chunk, a warp a row.
extern "C" __global__ void __launch_bounds__(BLOCK, 1) network_take(const Chunk *chunk, const u64 *begin, u64 *end,
	u32 *others, f32 *properties, u64 count, u64 edges, u64 self_loops, u64 *wrong) {
	u64 rows = load(&chunk->rows);
	for (u64 row = first_index() / WARP; row < rows; row += stride() / WARP) {
		const u32 *vertices = load(&chunk->vertices);
		u64 v = load(&chunk->rows_base) + (vertices ? load(vertices + row) : row);
		u64 from = (u64)load(load(&chunk->offsets) + row), size = (u64)load(load(&chunk->offsets) + row + 1) - from;
		u64 at = load(end + v);
		__syncwarp();
		if (at + size > load(begin + v + 1) - self_loops) {
			if (lane() == 0) {
				atomicOr(wrong, TOO_MANY);
			}
			continue;
		}
		for (u64 e = lane(); e < size; e += WARP) {
			store(others + at + e, (u32)load(&chunk->cols_base) + load(load(&chunk->neighbors) + from + e));
		}
		for (u64 i = lane(); i < size * count; i += WARP) {
			u64 k = i / size, e = i % size;
			store(properties + k * edges + at + e, (f32)load(load(&chunk->columns[k]) + from + e));
		}
		if (lane() == 0) {
			store(end + v, at + size);
		}
	}
}

// loop makes a vertex a neighbor of itself, once, however often it is: the first stays. Properties of what it adds
// are 1.
__device__ __forceinline__ void loop(const Entries &l, u32 v, u64 from, u64 *end) {
	u64 first = ~0ull;
	for (u64 at = from; at < *end; at += WARP) {
		u64 e = at + lane();
		bool self = e < *end && load(l.others + e) == v;
		u32 those = __ballot_sync(EVERY_LANE, self);
		if (those != 0 && first == ~0ull) {
			first = at + (u32)__ffs((int)those) - 1;
		}
		if (self && e != first) {
			store(l.others + e, NOBODY);
		}
	}
	if (first != ~0ull) {
		return;
	}
	if (lane() == 0) {
		store(l.others + *end, v);
		for (u64 k = 0; k < l.count; k++) {
			store(l.properties + k * l.edges + *end, 1.0f);
		}
	}
	++*end;
}

// network_complete says which lists have not come, makes vertices neighbors of themselves, and counts neighbors, where
// network_sort has nothing left to do: of others the degree is -1. A warp sees to a list.
extern "C" __global__ void __launch_bounds__(BLOCK, 1) network_complete(u64 n, const u64 *begin, u64 *ends,
	u32 *others, f32 *properties, u64 count, u64 edges, u64 self_loops, f32 *degrees, u64 *wrong, u64 *missing) {
	Entries l = {others, properties, count, edges};
	for (u64 v = first_index() / WARP; v < n; v += stride() / WARP) {
		u64 from = load(begin + v), end = load(ends + v);
		if (end != load(begin + v + 1) - self_loops && lane() == 0) {
			atomicOr(wrong, MISSING);
			fetch_min(missing, v);
		}
		if (self_loops) {
			loop(l, (u32)v, from, &end);
		}
		__syncwarp();
		bool unsorted = false;
		for (u64 e = from + lane(); e < end; e += WARP) {
			unsorted = unsorted || load(l.others + e) == NOBODY || (e > from && before(l, e, e - 1));
		}
		unsorted = __any_sync(EVERY_LANE, unsorted);
		if (lane() == 0) {
			store(ends + v, end);
			store(degrees + v, unsorted ? -1.0f : (f32)(end - from));
		}
	}
}

// network_sort sorts the lists that are not, so that the order in which they came does not matter, and leaves out
// those who are nobody.
extern "C" __global__ void __launch_bounds__(BLOCK, 1) network_sort(u64 n, const u64 *begin, u64 *ends, u32 *others,
	f32 *properties, u64 count, u64 edges, f32 *degrees) {
	Entries l = {others, properties, count, edges};
	for (u64 v = first_index(); v < n; v += stride()) {
		if (load(degrees + v) >= 0) {
			continue;
		}
		u64 from = load(begin + v), end = load(ends + v);
		heapsort(l, from, end - from);
		while (end > from && load(others + end - 1) == NOBODY) {
			end--;
		}
		store(ends + v, end);
		store(degrees + v, (f32)(end - from));
	}
}
