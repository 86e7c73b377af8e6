// Numbers as the host's Go has them: the bits that cross between kernels and lowered functions, and least and
// greatest of doubles, where NaN wins and -0 is less than +0.
#pragma once
#include "abi.cuh"

__device__ __forceinline__ f64 float_of(u64 bits) { return __longlong_as_double((i64)bits); }
__device__ __forceinline__ u64 bits_of(f64 x) { return (u64)__double_as_longlong(x); }

const i64 LEAST_INT = (i64)(1ull << 63), GREATEST_INT = ~LEAST_INT;
const u64 INFINITE = 0x7ffull << 52; // the bits of +inf
const u64 SIGN = 1ull << 63;

__device__ __forceinline__ f64 least(f64 a, f64 b) {
	if (a == b) {
		return float_of(bits_of(a) | bits_of(b)); // of zeros, the negative one
	}
	return a < b || a != a ? a : b;
}

__device__ __forceinline__ f64 greatest(f64 a, f64 b) {
	if (a == b) {
		return float_of(bits_of(a) & bits_of(b));
	}
	return a > b || a != a ? a : b;
}

// as_float is a value of any type as a number.
__device__ __forceinline__ f64 as_float(u64 type, u64 bits) { return type == FLOAT ? float_of(bits) : (f64)(i64)bits; }

// identity_of is what Reduce(identity, x) = x holds for.
__device__ __forceinline__ u64 identity_of(u64 reduce, u64 type) {
	if (type == BOOL) {
		return reduce == AND;
	}
	switch (reduce) {
	case PROD:
		return type == FLOAT ? bits_of(1.0) : 1;
	case MIN:
		return type == FLOAT ? INFINITE : (u64)GREATEST_INT;
	case MAX:
		return type == FLOAT ? INFINITE | SIGN : (u64)LEAST_INT;
	}
	return 0;
}
