// Memory of the card, by pointers that come out of structures: a compiler cannot tell that they are not of shared
// memory, and what it then makes of a plain access takes longer.
#pragma once
#include "abi.cuh"

#ifdef SOFTCUDA
#define GLOBAL(T) T
#else
#define GLOBAL(T) __attribute__((address_space(1))) T
#endif

template <typename T> __device__ __forceinline__ T load(const T *p) { return *(const GLOBAL(T) *)p; }
template <typename T> __device__ __forceinline__ void store(T *p, T x) { *(GLOBAL(T) *)p = x; }

// once is __ldg of what is used once: it should not drive out of the cache what is used often.
#ifdef SOFTCUDA
template <typename T> __device__ __forceinline__ T once(const T *p) { return *p; }
#else
__device__ __forceinline__ u32 once(const u32 *p) {
	u32 x;
	asm("ld.global.cs.nc.u32 %0, [%1];" : "=r"(x) : "l"(p));
	return x;
}

__device__ __forceinline__ f64 once(const f64 *p) {
	f64 x;
	asm("ld.global.cs.nc.f64 %0, [%1];" : "=d"(x) : "l"(p));
	return x;
}
#endif

// count adds to a total.
__device__ __forceinline__ u64 count(u64 *total, u64 by) {
#ifdef SOFTCUDA
	return atomicAdd(total, by);
#else
	return __atomic_fetch_add((GLOBAL(u64) *)total, by, __ATOMIC_RELAXED);
#endif
}

// fetch_min is atomicMin.
template <typename T> __device__ __forceinline__ T fetch_min(T *place, T x) {
#ifdef SOFTCUDA
	return atomicMin(place, x);
#else
	return __atomic_fetch_min((GLOBAL(T) *)place, x, __ATOMIC_RELAXED);
#endif
}

// lower puts the lesser of x and what is there at a place, and tells whether it is x. Most often nothing is to be done, and a
// look is cheaper than an atomic operation; what it sees may be old, and then is greater.
template <typename T> __device__ __forceinline__ bool lower(T *place, T x) { return x < load(place) && x < fetch_min(place, x); }
