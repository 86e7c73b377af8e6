// Breadth-first by levels, top down and bottom up (Beamer, Asanović, Patterson, "Direction-Optimizing
// Breadth-First Search", SC 2012): all whom a level reaches get the same value.
//
//	solve_flood_down, _long   each of the frontier's queue claims whom it reaches, by a bit
//	solve_flood_up            each who was not reached looks for one of the frontier, a bitmap
//	solve_flood_few           levels of few vertices, one after another, by one block
//	solve_flood_turn          ends a level
//	solve_flood_enqueue, _publish   the frontier from bitmap to queue and back
#pragma once

#include "number.cuh"
#include "solve_tile.cuh"

// Flood is what a level tells the next, and the host.
struct Flood {
	u64 from, to;   // the frontier stands in queue[from, to), or did
	u64 found;      // by this level so far; top down they stand from `to` on
	u64 size;       // of the frontier
	u64 reached;    // vertices, the frontier's as well
	u64 edges;      // of the frontier
	u64 met;        // of those found
	u64 unexplored; // of those who were not reached
	u64 looked;     // edges that were looked at
	u64 levels;
	u64 longs;
	u64 value;      // bits of what this level gives
	u64 step, type; // the next level's is so much more
};

__device__ __forceinline__ u64 stepped(const Flood *flood) {
	if (flood->type == INT) return flood->value + flood->step;
	if (flood->type == FLOAT)
		return bits_of(float_of(flood->value) + float_of(flood->step));
	return flood->value;
}

__device__ __forceinline__ void give(const Program *program, u64 v, u64 value) {
	u8 *column = program->columns[COLUMN_STATE];
	if (program->first_type == BOOL) store(column + v, (u8)value);
	else store((u64 *)column + v, value);
}

// end_level makes those found the frontier.
__device__ __forceinline__ void end_level(Flood *flood) {
	flood->from = flood->to;
	flood->to += flood->found;
	flood->size = flood->found;
	flood->reached += flood->found;
	flood->edges = flood->met;
	flood->unexplored -= flood->met < flood->unexplored ? flood->met : flood->unexplored;
	flood->found = flood->met = flood->longs = 0;
	flood->value = stepped(flood);
	flood->levels++;
}

// Reach claims the targets of edges.
struct Reach {
	const Program *program;
	const Cover *cover;
	Flood *flood;
	u32 *queue, *visited;
	u64 met;

	__device__ void operator()(bool within, const Chunk *chunk, u64 edge, u64) {
		u64 v = within ? target_of(chunk, edge) : 0;
		bool fresh = within && !has(visited, v) && insert(visited, v);
		if (fresh) {
			give(program, v, flood->value);
			met += degree_of(cover, v);
		}
		append(queue + flood->to, &flood->found, fresh, (u32)v);
	}
};

extern "C" __global__ void solve_flood_down(const Program *program, const Cover *cover, Flood *flood, u32 *queue, u32 *visited, LongRow *rows) {
	__shared__ Tile tile;
	Reach reach{program, cover, flood, queue, visited, 0};
	LongRows longs(program, &flood->longs, rows);
	u64 looked = 0;
	for (u64 base = flood->from + (u64)blockIdx.x * BLOCK; base < flood->to; base += stride()) {
		u64 at = base + threadIdx.x;
		bool some = at < flood->to;
		looked += visit_edges(&tile, cover, some, some ? queue[at] : 0, 0, longs, reach);
	}
	tally(&flood->looked, looked);
	tally(&flood->met, reach.met);
}

extern "C" __global__ void solve_flood_long(const Program *program, const Cover *cover, Flood *flood, u32 *queue, u32 *visited, LongRow *rows) {
	Reach reach{program, cover, flood, queue, visited, 0};
	visit_long(LongRows(program, &flood->longs, rows), reach);
	tally(&flood->met, reach.met);
}

// solve_flood_few does levels while there are few in the frontier, with few edges, and no row is put off. The end of the last
// is left to solve_flood_long and solve_flood_turn. It is for one block: a level costs no launch then.
extern "C" __global__ void solve_flood_few(const Program *program, const Cover *cover, Flood *flood, u32 *queue, u32 *visited, LongRow *rows, u64 few, u64 few_edges, u64 levels) {
	__shared__ Tile tile;
	Reach reach{program, cover, flood, queue, visited, 0};
	for (;;) {
		u64 from = flood->from, to = flood->to, looked = 0;
		for (u64 base = from; base < to; base += BLOCK) {
			u64 at = base + threadIdx.x;
			bool some = at < to;
			looked += visit_edges(&tile, cover, some, some ? queue[at] : 0, 0, LongRows(program, &flood->longs, rows), reach);
		}
		tally(&flood->looked, looked);
		tally(&flood->met, reach.met);
		reach.met = 0;
		__syncthreads();
		bool over = flood->longs != 0 || flood->found == 0 || flood->found > few || flood->met > few_edges || flood->levels + 1 >= levels;
		__syncthreads();
		if (over) return;
		if (threadIdx.x == 0) end_level(flood);
		__syncthreads();
	}
}

extern "C" __global__ void solve_flood_turn(Flood *flood) {
	if (threadIdx.x == 0) end_level(flood);
}

// alone is how many edges of a row a thread looks at by itself; the warp goes on with the rest.
const u64 ALONE = 32;

// first_of is the first edge of [from, to) to one of a set, or to.
__device__ __forceinline__ u64 first_of(const u32 *set, const Chunk *chunk, u64 from, u64 to) {
	for (; from < to; from++)
		if (has(set, target_of(chunk, from))) break;
	return from;
}

// together is first_of with the lanes of a warp side by side.
__device__ __forceinline__ u64 together(const u32 *set, const Chunk *chunk, u64 from, u64 to) {
	for (; from < to; from += WARP) {
		bool hit = from + lane() < to && has(set, target_of(chunk, from + lane()));
		u32 who = __ballot_sync(EVERY_LANE, hit);
		if (who != 0) return from + (u64)__ffs((int)who) - 1;
	}
	return to;
}

// seek is the first edge of each lane's row that leads to one of a set, or the row's end.
__device__ __forceinline__ u64 seek(const u32 *set, Segment row) {
	u64 soon = row.to - row.from < ALONE ? row.to : row.from + ALONE, at = row.from;
	if (row.from < row.to) at = first_of(set, row.chunk, row.from, soon);
	u32 waiting = __ballot_sync(EVERY_LANE, at == soon && soon < row.to);
	for (; waiting != 0; waiting &= waiting - 1) {
		int of = __ffs((int)waiting) - 1;
		const Chunk *chunk = (const Chunk *)__shfl_sync(EVERY_LANE, (u64)row.chunk, of);
		u64 hit = together(set, chunk, __shfl_sync(EVERY_LANE, soon, of), __shfl_sync(EVERY_LANE, row.to, of));
		if ((int)lane() == of) at = hit;
	}
	return at;
}

extern "C" __global__ void solve_flood_up(const Program *program, const Cover *cover, Flood *flood, u32 *visited, const u32 *frontier, u32 *next) {
	u64 looked = 0, found = 0, met = 0, end = (program->vertices + BLOCK - 1) / BLOCK * BLOCK;
	for (u64 v = first_index(); v < end; v += stride()) {
		bool waits = v < program->vertices && !has(visited, v), hit = false;
		Members members = waits ? members_of(cover, v) : Members{0, 0};
		for (u64 i = 0; __ballot_sync(EVERY_LANE, waits && !hit && i < members.count) != 0; i++) {
			bool looks = waits && !hit && i < members.count;
			Segment row = looks ? segment_of(cover, members, i, v) : Segment{0, 0, 0};
			u64 at = seek(frontier, row);
			hit = hit || at < row.to;
			looked += at - row.from + (at < row.to ? 1 : 0);
		}
		if (hit) {
			give(program, v, flood->value);
			found++;
			met += degree_of(cover, v);
		}
		u32 word = __ballot_sync(EVERY_LANE, hit);
		if (lane() == 0 && v / 64 < (program->vertices + 63) / 64) { // whole words of 64
			next[v / 32] = word;
			visited[v / 32] |= word;
		}
	}
	tally(&flood->looked, looked);
	tally(&flood->found, found);
	tally(&flood->met, met);
}

// solve_flood_enqueue has the queue begin with the members of a set, in any order; found and met are of those.
extern "C" __global__ void solve_flood_enqueue(const Program *program, const Cover *cover, Flood *flood, const u32 *set, u32 *queue) {
	u64 met = 0, end = (program->vertices + BLOCK - 1) / BLOCK * BLOCK;
	for (u64 v = first_index(); v < end; v += stride()) {
		bool some = v < program->vertices && has(set, v);
		append(queue, &flood->found, some, (u32)v);
		if (some) met += degree_of(cover, v);
	}
	tally(&flood->met, met);
}

// solve_flood_publish adds the frontier of the queue to a set.
extern "C" __global__ void solve_flood_publish(const Flood *flood, const u32 *queue, u32 *set) {
	for (u64 at = flood->from + first_index(); at < flood->to; at += stride()) insert(set, queue[at]);
}
