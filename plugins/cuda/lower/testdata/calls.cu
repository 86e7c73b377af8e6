// Kernels that call the functions that programs are lowered to, one at a time; card_test.go has them run.
//   clang-16 -x cuda --cuda-device-only -S -O3 --cuda-gpu-arch=sm_70 --cuda-feature=+ptx63 -ffp-contract=off -nocudainc -nocudalib calls.cu
typedef unsigned long long u64;
struct Program;
struct Chunk;

#ifdef SOFTCUDA
#define WEAK __attribute__((weak)) // the kernels proper have their own
#else
#define WEAK __attribute__((used, noinline))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#endif

extern "C" {
__device__ void penstock_init(const Program *p, u64 v);
__device__ void penstock_apply(const Program *p, u64 v);
__device__ u64 penstock_process(const Program *p, const Chunk *c, u64 source, u64 target, u64 edge);
__device__ u64 penstock_aggregate(const Program *p, u64 k, u64 v);

// What these are is no matter here.
__device__ WEAK double penstock_exp(double x) { return x; }
__device__ WEAK double penstock_log(double x) { return x; }

__global__ void call_init(u64 *, const Program *p, u64 v) { penstock_init(p, v); }
__global__ void call_apply(u64 *, const Program *p, u64 v) { penstock_apply(p, v); }
__global__ void call_process(u64 *result, const Program *p, const Chunk *c, u64 source, u64 target, u64 edge) {
	*result = penstock_process(p, c, source, target, edge);
}
__global__ void call_aggregate(u64 *result, const Program *p, u64 k, u64 v) { *result = penstock_aggregate(p, k, v); }
}
