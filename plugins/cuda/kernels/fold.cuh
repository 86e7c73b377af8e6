// Folds combine messages into an accumulator, in the order in which they come.
#pragma once
#include "number.cuh"

struct FloatSum {
	typedef f64 T;
	__device__ __forceinline__ T none() const { return 0; }
	__device__ __forceinline__ T of(u64 message) const { return float_of(message); }
	__device__ __forceinline__ T operator()(T a, T b) const { return a + b; }
};

struct FloatProduct {
	typedef f64 T;
	__device__ __forceinline__ T none() const { return 1; }
	__device__ __forceinline__ T of(u64 message) const { return float_of(message); }
	__device__ __forceinline__ T operator()(T a, T b) const { return a * b; }
};

// Integers wrap around, which unsigned ones do in C.
struct IntSum {
	typedef u64 T;
	__device__ __forceinline__ T none() const { return 0; }
	__device__ __forceinline__ T of(u64 message) const { return message; }
	__device__ __forceinline__ T operator()(T a, T b) const { return a + b; }
};

struct IntProduct {
	typedef u64 T;
	__device__ __forceinline__ T none() const { return 1; }
	__device__ __forceinline__ T of(u64 message) const { return message; }
	__device__ __forceinline__ T operator()(T a, T b) const { return a * b; }
};
