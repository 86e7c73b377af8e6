// The functions that a program is lowered to (package lower), put in place of calls before the template is loaded (package ptx).
// Those that are pure need not be asked twice.
// Values cross as their 64 bits, those of a BOOL are 0 or 1.
#pragma once
#include "abi.cuh"

// penstock_init gives the vertex its initial state.
extern "C" __device__ void penstock_init(const Program *p, u64 vertex);

// penstock_process is the message along an edge of a chunk.
extern "C" __device__ __attribute__((pure)) u64 penstock_process(const Program *p, const Chunk *c, u64 source, u64 target, u64 edge);

// penstock_apply gives the vertex its next state; its accumulator holds a value.
extern "C" __device__ void penstock_apply(const Program *p, u64 vertex);

// penstock_aggregate is what the vertex adds to an aggregate.
extern "C" __device__ __attribute__((pure)) u64 penstock_aggregate(const Program *p, u64 aggregate, u64 vertex);
