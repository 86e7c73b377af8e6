// What link_test.go links: clang's calls of functions with and without a result, in a loop, and nested.
//   clang-16 -x cuda --cuda-device-only -S -O3 --cuda-gpu-arch=sm_70 --cuda-feature=+ptx63 -nocudainc -nocudalib caller.cu
typedef unsigned long long u64;
#define DEVICE extern "C" __attribute__((device))

DEVICE void store(u64 *to, u64 value);
DEVICE u64 weigh(const u64 *from, u64 i);
DEVICE __attribute__((used, noinline)) double penstock_exp(double x) { return x * x; }

extern "C" __attribute__((global)) void sum(u64 *to, const u64 *from, u64 n) {
	u64 total = 0;
	for (u64 i = 0; i < n; i++)
		total += weigh(from, i) * weigh(from, n - i);
	store(to, total);
	weigh(from, n);
}
