// Several cards, and several processes on one.
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

TEST(a_card) {
	CUdevice d;
	GIVES(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGet(&d, 0));
	OK(cuInit(0));
	OK(cuDeviceGet(&d, 0));
	GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&d, 1));
	int pools, warp;
	OK(cuDeviceGetAttribute(&pools, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 0));
	OK(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
	CHECK(pools == 1 && warp == 32);
	CUcontext c;
	unsigned flags;
	int active;
	OK(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_BLOCKING_SYNC));
	OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
	CHECK(flags == CU_CTX_SCHED_BLOCKING_SYNC && !active);
	GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize());
	c = begin();
	CHECK(begin() == c);
	OK(cuDevicePrimaryCtxRelease(0));
	OK(cuCtxSynchronize()); // retained twice
	OK(cuDevicePrimaryCtxRelease(0));
	GIVES(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSynchronize());
	GIVES(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease(0));
}

TEST(two_cards) {
	setenv("SOFTCUDA_CARDS", "2", 1);
	setenv("SOFTCUDA_MEMORY", "1048576", 1);
	CUcontext a = begin(0);
	CUdeviceptr p = put(std::vector<u64>{1, 2, 3});
	memory(1 << 19);
	CUcontext b = begin(1);
	CUdeviceptr q = memory((1 << 20) - 256), r = memory(24);
	CUstream s = stream();
	OK(cuMemcpyPeerAsync(r, b, p, a, 24, s));
	OK(cuStreamSynchronize(s));
	CHECK(values<u64>(r, 3)[2] == 3);
	int can;
	OK(cuDeviceCanAccessPeer(&can, 0, 1));
	CHECK(can);
	OK(cuCtxEnablePeerAccess(a, 0));
	GIVES(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, cuCtxEnablePeerAccess(a, 0));
	setenv("SOFTCUDA_PEERS", "0", 1);
	OK(cuDeviceCanAccessPeer(&can, 0, 1));
	CHECK(!can);
	OK(cuCtxSetCurrent(a));
	GIVES(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, cuCtxEnablePeerAccess(b, 0));
	GIVES(CUDA_ERROR_INVALID_HANDLE, launch(s, function("test_iota"), 1, 1, {q, 1})); // of the other's context
}

// A context that is lost leaves the other card's as it is.
TEST(one_card_is_lost) {
	setenv("SOFTCUDA_CARDS", "2", 1);
	CUcontext a = begin(0);
	setenv("SOFTCUDA_FAULT", "sticky@1", 1);
	OK(launch(nullptr, function("test_iota"), 1, 1, {memory(8), 1}));
	GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
	begin(1);
	memory(8);
	OK(cuCtxSynchronize());
	OK(cuCtxSetCurrent(a));
	GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
}

static u64 left() {
	size_t free, total;
	OK(cuMemGetInfo(&free, &total));
	return free;
}

// Two processes share a card's memory; what one had is free when it has ended, however that was.
TEST(two_processes) {
	setenv("SOFTCUDA_SHARED", (std::string(getenv("TEST_FOLDER")) + "/shared").c_str(), 1);
	setenv("SOFTCUDA_MEMORY", "1048576", 1);
	int ready[2], go[2];
	CHECK(!pipe(ready) && !pipe(go));
	pid_t child = fork();
	char c = 0;
	if (!child) {
		begin();
		memory(700160);
		CHECK(write(ready[1], &c, 1) == 1 && read(go[0], &c, 1) == 1);
		raise(SIGKILL);
	}
	CHECK(read(ready[0], &c, 1) == 1);
	begin();
	CHECK(left() == (1 << 20) - 700160);
	CUdeviceptr p;
	GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&p, 400000));
	memory(256);
	CHECK(write(go[1], &c, 1) == 1 && waitpid(child, nullptr, 0) == child);
	CHECK(left() == (1 << 20) - 256);
	OK(cuMemAlloc(&p, 400000));
}
