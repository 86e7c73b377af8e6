// CUDA's names for what clang has builtins for, so that PTX can be made without NVIDIA's toolkit. It goes before a
// module by -include (ptx.sh); softcuda/grid.h takes its place where kernels are compiled for the processor.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __restrict__ __restrict

typedef decltype(sizeof 0) size_t;

// Grids and blocks have one dimension here.
struct Dimensions {
	unsigned x;
};
#define threadIdx (Dimensions{(unsigned)__nvvm_read_ptx_sreg_tid_x()})
#define blockIdx (Dimensions{(unsigned)__nvvm_read_ptx_sreg_ctaid_x()})
#define blockDim (Dimensions{(unsigned)__nvvm_read_ptx_sreg_ntid_x()})
#define gridDim (Dimensions{(unsigned)__nvvm_read_ptx_sreg_nctaid_x()})
#define warpSize 32

// Barriers.
#define __syncthreads() __nvvm_bar_sync(0)
#define __syncthreads_count(p) __nvvm_bar0_popc(p)
#define __syncthreads_and(p) __nvvm_bar0_and(p)
#define __syncthreads_or(p) __nvvm_bar0_or(p)
__device__ __forceinline__ void __syncwarp(unsigned mask = ~0u) { __nvvm_bar_warp_sync(mask); }
#define __threadfence_block() __nvvm_membar_cta()
#define __threadfence() __nvvm_membar_gl()
#define __threadfence_system() __nvvm_membar_sys()

// Votes.
#define __ballot_sync(mask, p) ((unsigned)__nvvm_vote_ballot_sync(mask, p))
#define __any_sync(mask, p) __nvvm_vote_any_sync(mask, p)
#define __all_sync(mask, p) __nvvm_vote_all_sync(mask, p)

// Bits.
#define __popc(x) __builtin_popcount(x)
#define __popcll(x) __builtin_popcountll(x)
#define __ffs(x) __builtin_ffs(x)
#define __ffsll(x) __builtin_ffsll(x)
#define __brev(x) __builtin_bitreverse32(x)
#define __brevll(x) __builtin_bitreverse64(x)
__device__ __forceinline__ int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
__device__ __forceinline__ int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }

template <typename To, typename From> __device__ __forceinline__ To bits_as(From x) {
	static_assert(sizeof(To) == sizeof(From), "of one size");
	To y;
	__builtin_memcpy(&y, &x, sizeof y);
	return y;
}
#define __double_as_longlong(x) bits_as<long long>((double)(x))
#define __longlong_as_double(x) bits_as<double>((long long)(x))
#define __float_as_uint(x) bits_as<unsigned>((float)(x))
#define __uint_as_float(x) bits_as<float>((unsigned)(x))

// Exact arithmetic: clang is told to contract nothing, so that operators round as these do.
#define __dadd_rn(a, b) __nvvm_add_rn_d(a, b)
#define __dsub_rn(a, b) __nvvm_add_rn_d(a, -(b))
#define __dmul_rn(a, b) __nvvm_mul_rn_d(a, b)
#define __ddiv_rn(a, b) __nvvm_div_rn_d(a, b)
#define __dsqrt_rn(a) __nvvm_sqrt_rn_d(a)
#define __fsqrt_rn(a) __nvvm_sqrt_rn_f(a)
#define __fmaf_rn(a, b, c) __nvvm_fma_rn_f(a, b, c)

// Shuffles, of values of 4 and of 8 bytes.
struct Halves {
	int low, high;
};
#define SHUFFLE(name, builtin, clamp)                                                                                  \
	template <typename T> __device__ __forceinline__ T name(unsigned mask, T x, int lane) {                             \
		if constexpr (sizeof(T) == 4) {                                                                                 \
			return bits_as<T>((int)builtin(mask, bits_as<int>(x), lane, clamp));                                        \
		} else {                                                                                                        \
			Halves h = bits_as<Halves>(x);                                                                              \
			return bits_as<T>(Halves{(int)builtin(mask, h.low, lane, clamp), (int)builtin(mask, h.high, lane, clamp)}); \
		}                                                                                                               \
	}
SHUFFLE(__shfl_sync, __nvvm_shfl_sync_idx_i32, 0x1f)
SHUFFLE(__shfl_up_sync, __nvvm_shfl_sync_up_i32, 0)
SHUFFLE(__shfl_down_sync, __nvvm_shfl_sync_down_i32, 0x1f)
SHUFFLE(__shfl_xor_sync, __nvvm_shfl_sync_bfly_i32, 0x1f)
#undef SHUFFLE

// Loads of what no kernel writes while this one runs.
template <typename T> __device__ __forceinline__ T __ldg(const T *p) {
	if constexpr (sizeof(T) == 1) {
		return bits_as<T>(__nvvm_ldg_uc((const unsigned char *)p));
	} else if constexpr (sizeof(T) == 4) {
		return bits_as<T>(__nvvm_ldg_ui((const unsigned *)p));
	} else {
		return bits_as<T>(__nvvm_ldg_ull((const unsigned long long *)p));
	}
}

// Atomic operations, relaxed as CUDA's are. They return what was there before.
template <typename T> __device__ __forceinline__ T atomicAdd(T *p, T x) { return __atomic_fetch_add(p, x, __ATOMIC_RELAXED); }
template <typename T> __device__ __forceinline__ T atomicSub(T *p, T x) { return __atomic_fetch_sub(p, x, __ATOMIC_RELAXED); }
template <typename T> __device__ __forceinline__ T atomicMin(T *p, T x) { return __atomic_fetch_min(p, x, __ATOMIC_RELAXED); }
template <typename T> __device__ __forceinline__ T atomicMax(T *p, T x) { return __atomic_fetch_max(p, x, __ATOMIC_RELAXED); }
template <typename T> __device__ __forceinline__ T atomicAnd(T *p, T x) { return __atomic_fetch_and(p, x, __ATOMIC_RELAXED); }
template <typename T> __device__ __forceinline__ T atomicOr(T *p, T x) { return __atomic_fetch_or(p, x, __ATOMIC_RELAXED); }
template <typename T> __device__ __forceinline__ T atomicXor(T *p, T x) { return __atomic_fetch_xor(p, x, __ATOMIC_RELAXED); }
template <typename T> __device__ __forceinline__ T atomicExch(T *p, T x) { return __atomic_exchange_n(p, x, __ATOMIC_RELAXED); }
template <typename T> __device__ __forceinline__ T atomicCAS(T *p, T old, T x) {
	__atomic_compare_exchange_n(p, &old, x, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	return old;
}

template <typename T> __device__ __forceinline__ T min(T a, T b) { return b < a ? b : a; } // of integers
template <typename T> __device__ __forceinline__ T max(T a, T b) { return a < b ? b : a; }
