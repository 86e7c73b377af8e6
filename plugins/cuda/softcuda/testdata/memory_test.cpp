// Memory: what there is of it, whose it is, and copies.
#include "check.h"

static u64 left() {
	size_t free, total;
	OK(cuMemGetInfo(&free, &total));
	return free;
}

TEST(memory_is_bounded) {
	setenv("SOFTCUDA_MEMORY", "1048576", 1);
	begin();
	CHECK(left() == 1 << 20);
	CUdeviceptr a = memory(700000), b;
	CHECK(left() == (1 << 20) - 700160); // by 256 bytes
	GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&b, 400000));
	GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&b, ~0ull));
	GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAllocManaged(&b, 400000, CU_MEM_ATTACH_GLOBAL));
	OK(cuMemFree(a));
	CHECK(left() == 1 << 20);
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree(a));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(&a, 0));
}

// A context's memory is given back with it, and a card changes its size in between.
TEST(memory_ends_with_the_context) {
	setenv("SOFTCUDA_MEMORY", "1048576", 1);
	begin();
	memory(1 << 20);
	OK(cuDevicePrimaryCtxRelease(0));
	size_t free, total;
	GIVES(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemGetInfo(&free, &total));
	setenv("SOFTCUDA_MEMORY", "2097152", 1);
	begin();
	CHECK(left() == 2 << 20);
}

// What a stream frees is free for it at once, however late the stream is.
TEST(memory_in_the_order_of_a_stream) {
	setenv("SOFTCUDA_MEMORY", "1048576", 1);
	setenv("SOFTCUDA_DELAY", "2000", 1);
	begin();
	CUstream s = stream();
	for (int i = 0; i < 20; i++) {
		CUdeviceptr p;
		OK(cuMemAllocAsync(&p, 900000, s));
		OK(launch(s, function("test_iota"), 4, 256, {p, 1000}));
		OK(cuMemFreeAsync(p, s));
	}
	OK(cuStreamSynchronize(s));
	CHECK(left() == 1 << 20);
}

TEST(copies_out_of_bounds) {
	begin();
	CUdeviceptr p = memory(100), q = memory(200);
	char host[300] = {};
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(p, host, 101));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(p + 1, host, 100));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(host, p + 50, 51));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoD(p, q, 101));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoD((CUdeviceptr)host, q, 10));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(p, 0, 101));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(p + 2, 0, 1));
	OK(cuMemcpyHtoD(p, host, 100));
	OK(cuMemcpyDtoD(p, q, 100));
	OK(cuMemcpyDtoH(host, p, 0));
}

// Memory that was freed before a stream came to it is an illegal address.
TEST(copy_of_what_was_freed) {
	setenv("SOFTCUDA_DELAY", "20000", 1);
	begin();
	CUdeviceptr p = memory(100), q = memory(100);
	CUstream slow = stream(), s = stream();
	for (int i = 0; i < 5; i++)
		OK(launch(slow, function("test_iota"), 1, 1, {q, 1}));
	OK(cuMemFreeAsync(p, slow));
	OK(cuMemcpyDtoDAsync(q, p, 100, slow));
	GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, cuStreamSynchronize(slow));
	GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, cuStreamSynchronize(s));
}

// Another stream may not touch what a stream takes before that has come to it.
TEST(memory_of_another_stream) {
	setenv("SOFTCUDA_DELAY", "20000", 1);
	begin();
	CUstream slow = stream(), other = stream();
	CUdeviceptr q = memory(100), p;
	for (int i = 0; i < 20; i++)
		OK(launch(slow, function("test_iota"), 1, 1, {q, 1}));
	OK(cuMemAllocAsync(&p, 100, slow));
	OK(cuMemsetD8Async(p, 1, 100, other));
	GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, cuStreamSynchronize(other));
}

// A copy lies in one registered range, or in none; and a test can have it that all are pinned.
TEST(copies_of_pinned_memory) {
	begin();
	std::vector<char> host(10000);
	CUdeviceptr p = memory(10000);
	OK(cuMemHostRegister(host.data(), 5000, 0));
	OK(cuMemcpyHtoD(p, host.data(), 5000));
	OK(cuMemcpyHtoD(p, host.data() + 5000, 5000));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(p, host.data() + 4999, 2));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(host.data(), p, 10000));
	setenv("SOFTCUDA_PAGEABLE", "0", 1);
	OK(cuMemcpyHtoD(p, host.data(), 5000));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(p, host.data() + 5000, 5000));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(host.data() + 5000, p, 1));
}

TEST(fresh_memory_holds_anything) {
	begin();
	for (unsigned char c : values<unsigned char>(memory(1000), 1000))
		CHECK(c);
}

TEST(fills) {
	begin();
	CUdeviceptr p = memory(80);
	OK(cuMemsetD8(p, 1, 80));
	OK(cuMemsetD32(p + 8, 0x01020304, 2));
	OK(cuMemsetD16(p + 16, 0x0506, 4));
	std::vector<unsigned> v = values<unsigned>(p, 20);
	for (unsigned i = 0; i < 20; i++)
		CHECK(v[i] == (i < 2 ? 0x01010101 : i < 4 ? 0x01020304 : i < 6 ? 0x05060506 : 0x01010101));
}

TEST(pinned_memory) {
	begin();
	std::vector<char> host(10000);
	OK(cuMemHostRegister(host.data(), 5000, 0));
	GIVES(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister(host.data() + 4999, 10, 0));
	OK(cuMemHostRegister(host.data() + 5000, 5000, 0));
	CUdeviceptr at;
	OK(cuMemHostGetDevicePointer(&at, host.data() + 100, 0));
	CHECK(at == (CUdeviceptr)host.data() + 100);
	OK(cuMemHostUnregister(host.data()));
	GIVES(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(host.data()));
	GIVES(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(host.data() + 5001));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostRegister((void *)4096, 4096, 0));
	void *p;
	OK(cuMemAllocHost(&p, 100));
	memset(p, 0, 100);
	OK(cuMemFreeHost(p));
}
