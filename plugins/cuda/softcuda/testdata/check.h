// What the tests of the library are written with: each is a function that ends the process when something is wrong.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

typedef uint64_t u64;

inline std::map<std::string, std::function<void()>> &tests() {
	static std::map<std::string, std::function<void()>> all;
	return all;
}

struct Test {
	Test(const char *name, std::function<void()> run) { tests()[name] = run; }
};

#define TEST(name)                       \
	static void name();                  \
	static Test test_of_##name(#name, name); \
	static void name()

#define CHECK(condition)                                                   \
	do                                                                     \
		if (!(condition)) {                                                \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			exit(1);                                                       \
		}                                                                  \
	while (0)

#define GIVES(expected, call)                                                                              \
	do {                                                                                                   \
		CUresult given_ = call;                                                                            \
		if (given_ != (expected)) {                                                                        \
			fprintf(stderr, "%s:%d: %s gives %d, not %s\n", __FILE__, __LINE__, #call, given_, #expected); \
			exit(1);                                                                                       \
		}                                                                                                  \
	} while (0)

#define OK(call) GIVES(CUDA_SUCCESS, call)

inline CUcontext begin(int card = 0) {
	CUcontext c;
	OK(cuInit(0));
	OK(cuDevicePrimaryCtxRetain(&c, card));
	OK(cuCtxSetCurrent(c));
	return c;
}

inline CUstream stream() {
	CUstream s;
	OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
	return s;
}

inline CUdeviceptr memory(u64 bytes) {
	CUdeviceptr p;
	OK(cuMemAlloc(&p, bytes));
	return p;
}

inline std::string ptx(const std::string &lowered = "") {
	std::ifstream file(getenv("TEST_PTX"));
	std::stringstream text;
	text << file.rdbuf();
	const char *none = ".visible .func penstock_init(.param .b64 a, .param .b64 b) { ret; }\n"
					   ".visible .func (.param .b64 r) penstock_process(.param .b64 a, .param .b64 b, .param .b64 c, .param .b64 d, .param .b64 e) { ret; }\n";
	return text.str() + (lowered.empty() ? none : lowered);
}

inline CUmodule module(const std::string &text) {
	CUmodule m;
	char log[1000] = "";
	CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
	void *values[] = {log, (void *)sizeof log};
	CUresult r = cuModuleLoadDataEx(&m, text.c_str(), 2, options, values);
	if (r) {
		fprintf(stderr, "%d: %s\n", r, log);
		exit(1);
	}
	return m;
}

inline CUfunction function(const char *name) {
	static CUmodule m = module(ptx());
	CUfunction f;
	OK(cuModuleGetFunction(&f, m, name));
	return f;
}

inline CUresult launch(CUstream s, CUfunction f, unsigned grid, unsigned block, std::vector<u64> arguments) {
	std::vector<void *> at;
	for (u64 &a : arguments)
		at.push_back(&a);
	return cuLaunchKernel(f, grid, 1, 1, block, 1, 1, 0, s, at.data(), nullptr);
}

template <class T> std::vector<T> values(CUdeviceptr at, size_t n) {
	std::vector<T> v(n);
	OK(cuMemcpyDtoH(v.data(), at, n * sizeof(T)));
	return v;
}

template <class T> CUdeviceptr put(const std::vector<T> &v) {
	CUdeviceptr p = memory(v.size() * sizeof(T));
	OK(cuMemcpyHtoD(p, v.data(), v.size() * sizeof(T)));
	return p;
}
