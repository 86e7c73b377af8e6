// Prefix sums, and what is made by them: lists of the members of bitmaps. Each takes three kernels: sums of
// tiles, a scan of those by one block, and the tiles again from where they begin.
#include "block.cuh"
#include "memory.cuh"

const u32 SCAN_TILE = 8 * BLOCK; // values; scan.go has it too

extern "C" __global__ void scan_sums(const u32 *from, u64 n, u64 *sums) {
	for (u64 tile = blockIdx.x; tile * SCAN_TILE < n; tile += gridDim.x) {
		u64 sum = 0;
		for (u32 i = threadIdx.x; i < SCAN_TILE; i += BLOCK) {
			u64 at = tile * SCAN_TILE + i;
			sum += at < n ? load(from + at) : 0;
		}
		sum = block_sum(sum);
		if (threadIdx.x == 0) {
			store(sums + tile, sum);
		}
	}
}

// scan_tiles turns the sums of tiles into those of the tiles before; sums[tiles] is that of all. One block does it.
extern "C" __global__ void scan_tiles(u64 *sums, u64 tiles) {
	u64 before = 0;
	for (u64 base = 0; base < tiles; base += BLOCK) {
		u64 i = base + threadIdx.x, all;
		u64 here = before + block_scan(i < tiles ? sums[i] : 0, &all);
		if (i < tiles) {
			sums[i] = here;
		}
		before += all;
	}
	if (threadIdx.x == 0) {
		sums[tiles] = before;
	}
}

// scan writes for each value the sum of those before it, and behind the last that of all.
extern "C" __global__ void scan(u64 *to, const u32 *from, u64 n, const u64 *sums) {
	for (u64 tile = blockIdx.x; tile * SCAN_TILE < n; tile += gridDim.x) {
		u64 before = load(sums + tile);
		for (u32 i = threadIdx.x; i < SCAN_TILE; i += BLOCK) {
			u64 at = tile * SCAN_TILE + i, all;
			u64 here = before + block_scan(at < n ? (u64)load(from + at) : 0, &all);
			if (at < n) {
				store(to + at, here);
			}
			before += all;
		}
	}
	if (first_index() == 0) {
		store(to + n, load(sums + (n + SCAN_TILE - 1) / SCAN_TILE));
	}
}

// word_of is a word of a bitmap of n vertices, without what lies behind those.
static __device__ __forceinline__ u64 word_of(const u64 *bits, u64 n, u64 word) {
	if (word * 64 >= n) {
		return 0;
	}
	u64 left = n - word * 64;
	return load(bits + word) & (left < 64 ? (1ull << left) - 1 : ~0ull);
}

// popcount adds the number of members of a bitmap to *total.
extern "C" __global__ void popcount(u64 *total, const u64 *bits, u64 n) {
	u64 members = 0;
	for (u64 word = first_index(); word * 64 < n; word += stride()) {
		members += __popcll(word_of(bits, n, word));
	}
	members = block_sum(members);
	if (threadIdx.x == 0) {
		count(total, members);
	}
}

// compact_sums counts the members in each BLOCK words.
extern "C" __global__ void compact_sums(const u64 *bits, u64 n, u64 *sums) {
	for (u64 tile = blockIdx.x; tile * BLOCK * 64 < n; tile += gridDim.x) {
		u64 members = block_sum((u64)__popcll(word_of(bits, n, tile * BLOCK + threadIdx.x)));
		if (threadIdx.x == 0) {
			store(sums + tile, members);
		}
	}
}

// compact lists the members of a bitmap, in order, and tells how many they are.
extern "C" __global__ void compact(u32 *list, u64 *total, const u64 *bits, u64 n, const u64 *sums) {
	u64 tiles = (n + BLOCK * 64 - 1) / (BLOCK * 64);
	for (u64 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
		u64 word = tile * BLOCK + threadIdx.x, all;
		u64 rest = word_of(bits, n, word);
		u64 at = load(sums + tile) + block_scan((u64)__popcll(rest), &all);
		for (; rest != 0; rest &= rest - 1) {
			store(list + at++, (u32)(word * 64 + __ffsll(rest) - 1));
		}
	}
	if (first_index() == 0) {
		store(total, load(sums + tiles));
	}
}
