// Keys are values as integers such that the better one has the lower key, so that Min, Max, And and Or of
// every type are one atomic operation, exact in any order of arrival: the least key. They are those of
// the device cpu (its keys.go).
//
//	FLOAT    sign-magnitude bits in two's complement, so that -0 < +0; NaN wins always
//	INT      itself
//	BOOL     0, 1
//	MAX, OR  the complement of that, which turns the order round
#pragma once
#include "number.cuh"

// compares tells whether accumulators hold keys.
__device__ __forceinline__ bool compares(u64 reduce) { return reduce >= MIN; }

__device__ __forceinline__ i64 flip_of(u64 reduce) { return reduce == MAX || reduce == OR ? -1 : 0; }

// sign_magnitude converts between sign-magnitude and two's complement, either way.
__device__ __forceinline__ i64 sign_magnitude(i64 bits) { return bits ^ ((bits >> 63) & GREATEST_INT); }

__device__ __forceinline__ i64 key_of_float(f64 x, i64 flip) {
	return x != x ? LEAST_INT : sign_magnitude(__double_as_longlong(x)) ^ flip;
}

__device__ __forceinline__ i64 key_of(u64 type, u64 bits, i64 flip) {
	return type == FLOAT ? key_of_float(float_of(bits), flip) : (i64)bits ^ flip;
}

__device__ __forceinline__ u64 value_of(u64 type, i64 key, i64 flip) {
	return (u64)(type == FLOAT ? sign_magnitude(key ^ flip) : key ^ flip);
}

// nothing is what an accumulator holds before the first message.
__device__ __forceinline__ u64 nothing(const Program *p) {
	u64 identity = identity_of(p->reduce, p->acc_type);
	return compares(p->reduce) ? (u64)key_of(p->acc_type, identity, flip_of(p->reduce)) : identity;
}
