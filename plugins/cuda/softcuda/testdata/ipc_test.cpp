// Memory that processes give each other.
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

namespace {

struct Gift {
	CUipcMemHandle handle;
	pid_t from;
};

// exporter is another process, with 1, 2, 3 in the memory of card 0 that it gives a handle of; it lives until it is told.
struct Exporter {
	int come[2], go[2];
	Gift gift;

	Exporter() {
		CHECK(!pipe(come) && !pipe(go));
		if (!(gift.from = fork())) {
			close(go[1]); // it ends with its parent
			begin(0);
			CUdeviceptr p = put(std::vector<u64>{1, 2, 3});
			OK(cuIpcGetMemHandle(&gift.handle, p));
			CHECK(write(come[1], &gift, sizeof gift) == sizeof gift);
			char c;
			CHECK(read(go[0], &c, 1) == 1);
			if (c == 'f')
				OK(cuMemFree(p));
			CHECK(write(come[1], &c, 1) == 1 && read(go[0], &c, 1) == 1);
			raise(SIGKILL);
		}
		pid_t child = gift.from;
		CHECK(read(come[0], &gift, sizeof gift) == sizeof gift);
		gift.from = child;
	}

	void tell(char c) {
		CHECK(write(go[1], &c, 1) == 1 && read(come[0], &c, 1) == 1);
	}

	void die() {
		CHECK(write(go[1], "x", 1) == 1 && waitpid(gift.from, nullptr, 0) == gift.from);
	}
};

const unsigned LAZY = CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS;

} // namespace

TEST(memory_of_another_process) {
	setenv("SOFTCUDA_CARDS", "2", 1);
	Exporter e;
	for (int card = 0; card < 2; card++) {
		begin(card);
		CUdeviceptr p, q = memory(24);
		GIVES(CUDA_ERROR_INVALID_VALUE, cuIpcOpenMemHandle(&p, e.gift.handle, 0));
		OK(cuIpcOpenMemHandle(&p, e.gift.handle, LAZY));
		CUstream s = stream();
		OK(cuMemcpyAsync(q, p, 24, s));
		OK(cuStreamSynchronize(s));
		CHECK(values<u64>(q, 3)[2] == 3);
		GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoD(q, p + 24, 8));
		GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree(p));
		OK(cuIpcCloseMemHandle(p));
		GIVES(CUDA_ERROR_INVALID_VALUE, cuIpcCloseMemHandle(p));
	}
	e.tell('s');
	e.die();
}

// What is freed while it is open is not what it was; what was opened outlives the process that died.
TEST(memory_that_is_gone) {
	Exporter freed, died;
	begin();
	CUdeviceptr p, q;
	OK(cuIpcOpenMemHandle(&p, freed.gift.handle, LAZY));
	OK(cuIpcOpenMemHandle(&q, died.gift.handle, LAZY));
	freed.tell('f');
	CHECK(values<u64>(p, 3)[2] != 3);
	died.tell('s');
	died.die();
	CHECK(values<u64>(q, 3)[2] == 3);
	GIVES(CUDA_ERROR_MAP_FAILED, cuIpcOpenMemHandle(&q, died.gift.handle, LAZY));
	GIVES(CUDA_ERROR_MAP_FAILED, cuIpcOpenMemHandle(&q, freed.gift.handle, LAZY));
	freed.die();
}

TEST(memory_that_is_not_given) {
	setenv("SOFTCUDA_CARDS", "2", 1);
	Exporter e;
	begin(1);
	CUdeviceptr p;
	CUipcMemHandle own;
	OK(cuIpcGetMemHandle(&own, memory(8)));
	GIVES(CUDA_ERROR_INVALID_CONTEXT, cuIpcOpenMemHandle(&p, own, LAZY));
	memset(&own, 7, sizeof own);
	GIVES(CUDA_ERROR_INVALID_HANDLE, cuIpcOpenMemHandle(&p, own, LAZY));
	setenv("SOFTCUDA_PEERS", "0", 1);
	GIVES(CUDA_ERROR_MAP_FAILED, cuIpcOpenMemHandle(&p, e.gift.handle, LAZY));
	unsetenv("SOFTCUDA_PEERS");
	setenv("SOFTCUDA_FAULT", "import", 1);
	GIVES(CUDA_ERROR_MAP_FAILED, cuIpcOpenMemHandle(&p, e.gift.handle, LAZY));
	setenv("SOFTCUDA_FAULT", "export", 1);
	GIVES(CUDA_ERROR_NOT_SUPPORTED, cuIpcGetMemHandle(&own, memory(8)));
	unsetenv("SOFTCUDA_FAULT");
	OK(cuMemAllocAsync(&p, 8, nullptr));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuIpcGetMemHandle(&own, p));
	e.tell('s');
	e.die();
}
