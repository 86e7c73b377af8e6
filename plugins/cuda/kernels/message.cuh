// Forms of a message: what Process does with an edge, beside what it takes from the source alone, which is
// computed once a vertex. Those of the twelve programs of algorithms are among them; shape.go tells which a
// program has, and Processed is for the others.
#pragma once
#include "lowered.cuh"
#include "memory.cuh"
#include "number.cuh"

struct AsIs {
	static const bool weighted = false, processed = false;
	static __device__ __forceinline__ f64 weigh(f64 message, f64) { return message; }
};

struct Plus {
	static const bool weighted = true, processed = false;
	static __device__ __forceinline__ f64 weigh(f64 message, f64 weight) { return message + weight; }
};

struct Times {
	static const bool weighted = true, processed = false;
	static __device__ __forceinline__ f64 weigh(f64 message, f64 weight) { return message * weight; }
};

struct AtMost {
	static const bool weighted = true, processed = false;
	static __device__ __forceinline__ f64 weigh(f64 message, f64 weight) { return least(message, weight); }
};

struct AtLeast {
	static const bool weighted = true, processed = false;
	static __device__ __forceinline__ f64 weigh(f64 message, f64 weight) { return greatest(message, weight); }
};

// Processed messages may take anything from either end and the edge.
struct Processed {
	static const bool weighted = false, processed = true;
	static __device__ __forceinline__ f64 weigh(f64 message, f64) { return message; }
};

// Edge is one edge of a chunk, and what its source sends but for the edge.
struct Edge {
	u64 source, target;
	u32 at;
	u64 message;
};

// along is the message along an edge.
template <typename Form> __device__ __forceinline__ u64 along(const Program *p, const Chunk *c, const f64 *weights, Edge e) {
	if constexpr (Form::processed) {
		return penstock_process(p, c, e.source, e.target, e.at);
	} else if constexpr (Form::weighted) {
		return bits_of(Form::weigh(float_of(e.message), once(weights + e.at)));
	} else {
		return e.message;
	}
}
