// Where the lists of a vertex are, among all chunks that are resident.
#pragma once

#include "memory.cuh"

// Cover cuts the vertices into bands of which all have their rows in the same chunks.
struct Cover {
	u64 chunks;                 // in all
	const Chunk *const *chunk;  // by number
	u64 bands;                  // at least one
	const u64 *bases;           // the first vertex of each band, ascending from 0
	const u64 *firsts;          // bands + 1: where those of a band begin in members
	const u64 *members;         // chunks of each band, ascending
};

// Segment is what one chunk has of the list of a vertex: edges [from, to) of the chunk.
struct Segment {
	const Chunk *chunk;
	u64 from, to;
};

// Members is a part of Cover.members.
struct Members {
	const u64 *first;
	u64 count;
};

// last_at_most is the last place in ascending where a value of at most x stands; there is one at 0.
__device__ __forceinline__ u64 last_at_most(const u64 *ascending, u64 count, u64 x) {
	u64 from = 0, to = count;
	while (to - from > 1) {
		u64 middle = (from + to) / 2;
		if (__ldg(ascending + middle) <= x) from = middle;
		else to = middle;
	}
	return from;
}

// members_of are the chunks that may have a row of v.
__device__ __forceinline__ Members members_of(const Cover *cover, u64 v) {
	u64 band = last_at_most(cover->bases, cover->bands, v), first = __ldg(cover->firsts + band);
	return Members{cover->members + first, __ldg(cover->firsts + band + 1) - first};
}

// segment_of is what a chunk of its band has of the list of v, perhaps nothing.
__device__ __forceinline__ Segment segment_of(const Chunk *chunk, u64 v) {
	u64 row = v - chunk->rows_base;
	if (chunk->vertices) {
		u64 from = 0, to = chunk->rows;
		while (from < to) {
			u64 middle = (from + to) / 2;
			if (__ldg(chunk->vertices + middle) < row) from = middle + 1;
			else to = middle;
		}
		if (from == chunk->rows || __ldg(chunk->vertices + from) != row) return Segment{chunk, 0, 0};
		row = from;
	}
	if (row >= chunk->rows) return Segment{chunk, 0, 0};
	return Segment{chunk, (u64)__ldg(chunk->offsets + row), (u64)__ldg(chunk->offsets + row + 1)};
}

__device__ __forceinline__ Segment segment_of(const Cover *cover, Members members, u64 i, u64 v) {
	return segment_of(load(cover->chunk + __ldg(members.first + i)), v);
}

// degree_of is how many edges v has, in all chunks.
__device__ __forceinline__ u64 degree_of(const Cover *cover, u64 v) {
	u64 degree = 0;
	Members members = members_of(cover, v);
	for (u64 i = 0; i < members.count; i++) {
		Segment row = segment_of(cover, members, i, v);
		degree += row.to - row.from;
	}
	return degree;
}

// target_of is the vertex that an edge of a chunk leads to.
__device__ __forceinline__ u64 target_of(const Chunk *chunk, u64 edge) { return chunk->cols_base + __ldg(chunk->neighbors + edge); }
