// What CUDA C means where g++ compiles it. It is included before a kernel's source, in the place of what clang
// is given (kernels/prelude.cuh). A thread of a grid is a call of the kernel; one that waits for others is a
// fiber (multiprocessor.h), so that what threads share is a static variable of the thread that runs the block.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#define __global__
#define __device__
#define __constant__ static
#define __shared__ static __thread
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)

struct uint3 {
	unsigned x, y, z;
};
typedef uint3 dim3;

extern __thread uint3 threadIdx, blockIdx, blockDim, gridDim;

const int warpSize = 32;

namespace softcuda {

enum Meeting { SYNC, BALLOT, SHUFFLE, MATCH };

uint64_t meet(unsigned mask, Meeting, uint64_t value, unsigned lane); // of the lanes of a warp in mask
unsigned barrier(bool vote);                                          // of the threads of a block: how many voted
[[noreturn]] void trap();

template <class T> uint64_t bits(T value) {
	static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a register is moved between lanes");
	uint64_t b = 0;
	memcpy(&b, &value, sizeof(T));
	return b;
}

template <class To, class From> To as(From value) {
	To to;
	memcpy(&to, &value, sizeof(To));
	return to;
}

inline unsigned lane() {
	return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % warpSize;
}

template <class T> T shuffle(unsigned mask, T value, unsigned from) { return as<T>(meet(mask, SHUFFLE, bits(value), from)); }

// exactly keeps a parameter's type from being deduced, as functions that are no templates do.
template <class T> using exactly = typename std::enable_if<std::is_integral<T>::value, T>::type;

// update puts change(old) in the place of old, at once, unless that is the same.
template <class T, class Change> T update(T *at, Change change) {
	T old = __atomic_load_n(at, __ATOMIC_RELAXED);
	for (T now = change(old); now != old; now = change(old))
		if (__atomic_compare_exchange_n(at, &old, now, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			break;
	return old;
}

} // namespace softcuda

inline void __syncthreads() { softcuda::barrier(false); }
inline int __syncthreads_count(int vote) { return softcuda::barrier(vote != 0); }
inline int __syncthreads_or(int vote) { return softcuda::barrier(vote != 0) > 0; }
inline int __syncthreads_and(int vote) { return softcuda::barrier(vote == 0) == 0; }

inline void __syncwarp(unsigned mask = ~0u) { softcuda::meet(mask, softcuda::SYNC, 0, 0); }
inline unsigned __ballot_sync(unsigned mask, int vote) { return softcuda::meet(mask, softcuda::BALLOT, vote != 0, 0); }
inline int __any_sync(unsigned mask, int vote) { return __ballot_sync(mask, vote) != 0; }
inline int __all_sync(unsigned mask, int vote) { return __ballot_sync(mask, vote == 0) == 0; }
template <class T> unsigned __match_any_sync(unsigned mask, T value) { return softcuda::meet(mask, softcuda::MATCH, softcuda::bits(value), 0); }

template <class T> T __shfl_sync(unsigned mask, T value, int from, int width = warpSize) {
	unsigned first = softcuda::lane() & ~(width - 1);
	return softcuda::shuffle(mask, value, first | (from & (width - 1)));
}
template <class T> T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = warpSize) {
	unsigned lane = softcuda::lane(), within = lane & (width - 1);
	return softcuda::shuffle(mask, value, within >= by ? lane - by : lane);
}
template <class T> T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = warpSize) {
	unsigned lane = softcuda::lane(), within = lane & (width - 1);
	return softcuda::shuffle(mask, value, within + by < (unsigned)width ? lane + by : lane);
}
template <class T> T __shfl_xor_sync(unsigned mask, T value, int by, int width = warpSize) {
	unsigned lane = softcuda::lane(), other = lane ^ by;
	return softcuda::shuffle(mask, value, (other | (width - 1)) <= (lane | (width - 1)) ? other : lane);
}

// There is none for floating-point numbers: their sums would depend on the order of threads.
template <class T> T atomicAdd(T *at, softcuda::exactly<T> by) { return __atomic_fetch_add(at, by, __ATOMIC_RELAXED); }
template <class T> T atomicSub(T *at, softcuda::exactly<T> by) { return __atomic_fetch_sub(at, by, __ATOMIC_RELAXED); }
template <class T> T atomicAnd(T *at, softcuda::exactly<T> with) { return __atomic_fetch_and(at, with, __ATOMIC_RELAXED); }
template <class T> T atomicOr(T *at, softcuda::exactly<T> with) { return __atomic_fetch_or(at, with, __ATOMIC_RELAXED); }
template <class T> T atomicXor(T *at, softcuda::exactly<T> with) { return __atomic_fetch_xor(at, with, __ATOMIC_RELAXED); }
template <class T> T atomicExch(T *at, softcuda::exactly<T> to) { return __atomic_exchange_n(at, to, __ATOMIC_RELAXED); }
template <class T> T atomicMin(T *at, softcuda::exactly<T> with) {
	return softcuda::update(at, [=](T old) { return with < old ? with : old; });
}
template <class T> T atomicMax(T *at, softcuda::exactly<T> with) {
	return softcuda::update(at, [=](T old) { return old < with ? with : old; });
}
template <class T> T atomicCAS(T *at, softcuda::exactly<T> old, softcuda::exactly<T> to) {
	__atomic_compare_exchange_n(at, &old, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	return old;
}

inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_block() { __threadfence(); }
inline void __threadfence_system() { __threadfence(); }
[[noreturn]] inline void __trap() { softcuda::trap(); }
template <class T> T __ldg(const T *at) { return *at; }

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x ? __builtin_clz(x) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned long long __brevll(unsigned long long x) {
	unsigned long long reversed = 0;
	for (int i = 0; i < 64; i++, x >>= 1)
		reversed = reversed << 1 | (x & 1);
	return reversed;
}
inline unsigned __brev(unsigned x) { return __brevll(x) >> 32; }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return (unsigned __int128)a * b >> 64; }

template <class To, class From> To bits_as(From x) {
	static_assert(sizeof(To) == sizeof(From), "of one size");
	return softcuda::as<To>(x);
}
inline long long __double_as_longlong(double x) { return bits_as<long long>(x); }
inline double __longlong_as_double(long long x) { return bits_as<double>(x); }
inline unsigned __float_as_uint(float x) { return bits_as<unsigned>(x); }
inline float __uint_as_float(unsigned x) { return bits_as<float>(x); }

inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline double __dsqrt_rn(double a) { return std::sqrt(a); }
inline float __fsqrt_rn(float a) { return std::sqrt(a); }
inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }


template <class T> T min(T a, T b) { return b < a ? b : a; } // of integers
template <class T> T max(T a, T b) { return a < b ? b : a; }

#define __noinline__ __attribute__((noinline))
