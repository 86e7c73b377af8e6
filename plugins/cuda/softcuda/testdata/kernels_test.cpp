// Kernels: barriers, warps, atomic operations, and what is wrong with some.
#include "check.h"

TEST(iota) {
	begin();
	CUdeviceptr out = memory(1000 * 8);
	CUstream s = stream();
	OK(launch(s, function("test_iota"), 4, 256, {out, 1000}));
	OK(cuStreamSynchronize(s));
	std::vector<u64> v = values<u64>(out, 1000);
	for (u64 i = 0; i < v.size(); i++)
		CHECK(v[i] == i);
}

TEST(sums) {
	begin();
	for (unsigned block : {32, 64, 256, 1024}) {
		std::vector<u64> in(3 * block);
		for (u64 i = 0; i < in.size(); i++)
			in[i] = i * i << 33 | i;
		CUdeviceptr from = put(in), out = memory(3 * 8);
		OK(launch(nullptr, function("test_sum"), 3, block, {from, out}));
		std::vector<u64> v = values<u64>(out, 3);
		for (unsigned b = 0; b < 3; b++) {
			u64 sum = 0;
			for (unsigned i = 0; i < block; i++)
				sum += in[b * block + i];
			CHECK(v[b] == sum);
		}
	}
}

TEST(barriers) {
	begin();
	for (unsigned block : {1, 33, 256, 1000}) {
		CUdeviceptr out = memory(2 * block * 8);
		OK(launch(nullptr, function("test_barriers"), 2, block, {out, 50}));
		for (u64 v : values<u64>(out, 2 * block))
			CHECK(v == 50);
	}
}

TEST(votes) {
	begin();
	CUdeviceptr out = memory(128 * 8 * 8);
	OK(launch(nullptr, function("test_votes"), 1, 128, {out}));
	std::vector<u64> v = values<u64>(out, 128 * 8);
	for (u64 t = 0; t < 128; t++) {
		u64 lane = t % 32, *own = &v[8 * t];
		CHECK(own[0] == 0x49249249);
		CHECK(own[1] == 1);
		CHECK(own[2] == 0);
		CHECK(own[3] == (lane < 30 ? 0x1full << lane / 5 * 5 : 0xc0000000));
		CHECK(own[4] == (lane < 3 ? lane : lane - 3));
		CHECK(own[5] == 9ull << 40);
		CHECK(own[6] == 64);
		CHECK(own[7] == (lane % 2 ? 0xaaaaaaaa : 0x55550000));
	}
}

TEST(atomics) {
	begin();
	std::vector<u64> none(5, 0);
	CUdeviceptr at = put(none), bits = memory(2048 / 8);
	OK(cuMemsetD8(bits, 0, 2048 / 8));
	// Two streams at once.
	for (CUstream s : {stream(), stream()})
		OK(launch(s, function("test_atomics"), 8, 256, {at, at + 8, at + 16, bits, at + 24}));
	OK(cuCtxSynchronize());
	std::vector<u64> v = values<u64>(at, 5);
	CHECK(v[0] == 2 * 2048);
	CHECK((int64_t)v[1] == -500 && v[2] == 508);
	CHECK(v[3] >= 1 && v[3] <= 2048 && v[4] == 1);
	for (u64 word : values<u64>(bits, 2048 / 64))
		CHECK(word == ~0ull);
}

TEST(leavers) {
	begin();
	CUdeviceptr out = memory(128 * 8);
	OK(launch(nullptr, function("test_leavers"), 1, 128, {out}));
	for (u64 v : values<u64>(out, 40))
		CHECK(v == 40);
}

TEST(parameters) {
	begin();
	CUdeviceptr out = memory(8);
	OK(launch(nullptr, function("test_many_parameters"), 1, 1, {out, 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000}));
	CHECK(values<u64>(out, 1)[0] == 87654321);
}

// wrong runs a kernel that goes wrong: it and all after it gives an error, until the context is made anew.
static void wrong(CUresult expected, const char *name, unsigned block, std::vector<u64> arguments) {
	CUstream s = stream();
	CUfunction f = function(name);
	OK(launch(s, f, 1, block, arguments));
	GIVES(expected, cuStreamSynchronize(s));
	GIVES(expected, launch(s, f, 1, block, arguments));
	CUdeviceptr p;
	GIVES(expected, cuMemAlloc(&p, 8));
}

TEST(wild_address) {
	begin();
	wrong(CUDA_ERROR_ILLEGAL_ADDRESS, "test_wild", 256, {memory(100)});
	OK(cuDevicePrimaryCtxRelease(0));
	begin();
	OK(cuMemsetD8(memory(100), 0, 100));
}
TEST(just_behind_the_end) {
	begin();
	CUdeviceptr p = memory(100);
	OK(launch(nullptr, function("test_behind"), 1, 1, {p, 100}));
	OK(cuMemFree(p));
	GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
}
TEST(waiting_for_ever) {
	begin();
	wrong(CUDA_ERROR_LAUNCH_FAILED, "test_lonely_barrier", 64, {});
}
TEST(absent_lane) {
	begin();
	wrong(CUDA_ERROR_LAUNCH_FAILED, "test_absent_lane", 64, {});
}
TEST(trap) {
	begin();
	wrong(CUDA_ERROR_LAUNCH_FAILED, "test_trap", 64, {});
}

TEST(grids_that_are_none) {
	begin();
	CUfunction f = function("test_leavers");
	CUdeviceptr out = memory(128 * 8);
	GIVES(CUDA_ERROR_INVALID_VALUE, launch(nullptr, f, 0, 1, {out}));
	GIVES(CUDA_ERROR_INVALID_VALUE, launch(nullptr, f, 1, 0, {out}));
	GIVES(CUDA_ERROR_INVALID_VALUE, launch(nullptr, f, 1, 1025, {out}));
	CUfunction none;
	GIVES(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&none, module(ptx()), "test_none"));
}
