// What a chunk must be for kernels to go along its lists. What is not so is told by bits of *invalid.
#include "block.cuh"
#include "memory.cuh"

const u64 BAD_OFFSETS = 1, BAD_VERTICES = 2, BAD_NEIGHBORS = 4, BAD_WEIGHTS = 8; // as in plain.go

// offsets_rise tells whether row i's list begins where it may.
static __device__ __forceinline__ bool offsets_rise(const Chunk *c, u64 i) {
	i32 at = __ldg(c->offsets + i);
	if (i == 0 && at != 0) {
		return false;
	}
	return i < c->rows ? at <= __ldg(c->offsets + i + 1) : (u64)(i64)at == c->edges;
}

// validate looks at offsets, at vertices, which ascend within an interval of so many, and at neighbours, within theirs.
extern "C" __global__ void validate(const Chunk *c, u64 rows, u64 cols, u64 *invalid) {
	u64 bad = c->rows > rows ? BAD_VERTICES : 0;
	for (u64 i = first_index(); i <= c->rows; i += stride()) {
		bad |= offsets_rise(c, i) ? 0 : BAD_OFFSETS;
	}
	for (u64 i = first_index(); c->vertices && i < c->rows; i += stride()) {
		u32 v = __ldg(c->vertices + i);
		bad |= v < rows && (i == 0 || __ldg(c->vertices + i - 1) < v) ? 0 : BAD_VERTICES;
	}
	for (u64 i = first_index(); i < c->edges; i += stride()) {
		bad |= once(c->neighbors + i) < cols ? 0 : BAD_NEIGHBORS;
	}
	if (bad) {
		atomicOr(invalid, bad);
	}
}

// validate_weights looks for weights that are not 0 or more.
extern "C" __global__ void validate_weights(const f64 *weights, u64 n, u64 *invalid) {
	bool bad = false;
	for (u64 i = first_index(); i < n; i += stride()) {
		bad |= !(once(weights + i) >= 0);
	}
	if (bad) {
		atomicOr(invalid, BAD_WEIGHTS);
	}
}

// admit leaves a chunk that is damaged without rows, for kernels that are queued behind.
extern "C" __global__ void admit(Chunk *c, const u64 *invalid) {
	if (first_index() == 0 && *invalid) {
		c->rows = c->edges = 0;
	}
}
