// Faults that are asked for, and what follows from them.
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

TEST(no_device) {
	setenv("SOFTCUDA_FAULT", "nodevice", 1);
	GIVES(CUDA_ERROR_NO_DEVICE, cuInit(0));
	int n;
	GIVES(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&n));
}

TEST(init_fails) {
	setenv("SOFTCUDA_FAULT", "init=803", 1);
	GIVES(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, cuInit(0));
	const char *name;
	OK(cuGetErrorName(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, &name));
	CHECK(!strcmp(name, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"));
}

TEST(out_of_memory) {
	begin();
	CUdeviceptr p;
	setenv("SOFTCUDA_FAULT", "oom@2", 1);
	memory(8);
	GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&p, 8));
	memory(8);
	setenv("SOFTCUDA_FAULT", "oom@2+", 1); // counted anew
	memory(8);
	GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAllocAsync(&p, 8, nullptr));
	GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAllocManaged(&p, 8, CU_MEM_ATTACH_GLOBAL));
	unsetenv("SOFTCUDA_FAULT");
	memory(8);
}

TEST(sticky) {
	begin();
	CUdeviceptr p = memory(8), q;
	CUfunction f = function("test_iota");
	CUstream s = stream(), other = stream();
	setenv("SOFTCUDA_FAULT", "sticky@3", 1);
	for (int i = 0; i < 2; i++) {
		OK(launch(s, f, 1, 1, {p, 1}));
		OK(cuStreamSynchronize(s));
	}
	OK(launch(s, f, 1, 1, {p, 1}));
	GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, cuStreamSynchronize(s));
	unsetenv("SOFTCUDA_FAULT");
	u64 value;
	GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, launch(other, f, 1, 1, {p, 1}));
	GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemAlloc(&q, 8));
	GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemFree(p));
	GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemcpyDtoH(&value, p, 8));
	GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, cuStreamCreate(&s, 0));
	GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
	OK(cuDevicePrimaryCtxRelease(0));
	begin();
	memory(8);
}

TEST(hang) {
	begin();
	CUdeviceptr p = memory(8);
	CUfunction f = function("test_iota");
	CUstream s = stream(), other = stream();
	setenv("SOFTCUDA_FAULT", "hang@1", 1);
	OK(launch(s, f, 1, 1, {p, 1}));
	OK(launch(other, f, 1, 1, {p, 1}));
	OK(cuStreamSynchronize(other));
	GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(s));
	usleep(20000);
	GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(s));
	if (pid_t child = fork()) { // who waits for it does so for ever
		int status;
		CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM);
	} else {
		alarm(1);
		cuStreamSynchronize(s);
		_exit(0);
	}
}

TEST(registration_is_refused) {
	begin();
	static char host[100];
	setenv("SOFTCUDA_FAULT", "register", 1);
	GIVES(CUDA_ERROR_NOT_SUPPORTED, cuMemHostRegister(host, sizeof host, 0));
	OK(cuMemcpyHtoD(memory(100), host, 100));
}
