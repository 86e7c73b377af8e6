// Kernels of the tests; kernels.ptx declares them.
typedef unsigned long long u64;

static unsigned thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

extern "C" __global__ void test_iota(u64 *out, u64 n) {
	if (thread() < n)
		out[thread()] = thread();
}

// out[block] is the sum of a block's values, by shuffles and shared memory, as kernels do it.
extern "C" __global__ void test_sum(const u64 *in, u64 *out) {
	__shared__ u64 sums[32];
	u64 x = in[thread()];
	for (unsigned by = 16; by; by /= 2)
		x += __shfl_down_sync(~0u, x, by);
	if (threadIdx.x % 32 == 0)
		sums[threadIdx.x / 32] = x;
	__syncthreads();
	if (threadIdx.x < 32) {
		x = threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0;
		for (unsigned by = 16; by; by /= 2)
			x += __shfl_xor_sync(~0u, x, by);
		if (threadIdx.x == 0)
			out[blockIdx.x] = x;
	}
}

// A step of a scan, again and again: each value is that of its left neighbour's in the step before, plus one.
extern "C" __global__ void test_barriers(u64 *out, u64 steps) {
	__shared__ u64 values[1024];
	values[threadIdx.x] = 0;
	__syncthreads();
	for (u64 i = 0; i < steps; i++) {
		u64 left = values[(threadIdx.x + blockDim.x - 1) % blockDim.x];
		__syncthreads();
		values[threadIdx.x] = left + 1;
		__syncthreads();
	}
	out[thread()] = values[threadIdx.x];
}

extern "C" __global__ void test_votes(u64 *out) {
	unsigned lane = threadIdx.x % 32;
	u64 *own = out + 8 * threadIdx.x;
	own[0] = __ballot_sync(~0u, lane % 3 == 0);
	own[1] = __any_sync(~0u, lane == 7);
	own[2] = __all_sync(~0u, lane < 31);
	own[3] = __match_any_sync(~0u, lane / 5);
	own[4] = __shfl_up_sync(~0u, lane, 3);
	own[5] = __shfl_sync(~0u, (u64)lane << 40, 9);
	own[6] = __syncthreads_count(threadIdx.x % 2);
	own[7] = lane % 2 ? __ballot_sync(0xaaaaaaaa, 1) : __ballot_sync(0x55555555, lane > 15);
}

extern "C" __global__ void test_atomics(u64 *sum, long long *least, long long *most, unsigned *bits, u64 *taken) {
	long long x = (thread() * 7919ll) % 1009 - 500;
	atomicAdd(sum, 1);
	atomicMin(least, x);
	atomicMax(most, x);
	atomicOr(&bits[thread() / 32], 1u << thread() % 32);
	if (atomicCAS(taken, 0, thread() + 1) == 0)
		atomicAdd(taken + 1, 1);
}

// Those who have returned are not waited for at a barrier.
extern "C" __global__ void test_leavers(u64 *out) {
	if (threadIdx.x >= 40)
		return;
	out[thread()] = __syncthreads_count(1);
}

extern "C" __global__ void test_many_parameters(u64 *out, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g, u64 h) {
	out[0] = a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}

// What is wrong.
extern "C" __global__ void test_wild(u64 *out) { out[1 << 20] = 1; }
extern "C" __global__ void test_behind(char *out, u64 n) { out[n] = 1; }
extern "C" __global__ void test_lonely_barrier() {
	if (threadIdx.x < 32)
		__syncwarp();
	else
		__shfl_sync(~0u, 1, 0, 32), __syncthreads();
	if (threadIdx.x == 0)
		__syncwarp();
	__syncthreads();
}
extern "C" __global__ void test_absent_lane() {
	if (threadIdx.x % 32 != 5)
		__syncwarp();
}
extern "C" __global__ void test_trap() { __trap(); }

// What a template's kernels do with lowered functions.
struct Program;
struct Chunk;
extern "C" void penstock_init(u64 program, u64 v);
extern "C" u64 penstock_process(u64 program, u64 chunk, u64 source, u64 target, u64 edge);

extern "C" __global__ void test_init(u64 program, u64 n) {
	if (thread() < n)
		penstock_init(program, thread());
}
extern "C" __global__ void test_process(u64 *out, u64 program, u64 chunk) { out[thread()] = penstock_process(program, chunk, 1, 2, 3); }
