// Memory of cards that processes give each other. A handle says where the other finds the file that the memory lies in
// (/proc/PID/fd), and which it must be: a process that has ended has none any more. As of a card, what has been opened
// stays, and one that opens a handle of its own is refused.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "card.h"
#include "context.h"
#include "fault.h"
#include "memory.h"

using namespace softcuda;

namespace {

struct Handle {
	uint64_t magic, bytes, inode;
	int process, file, card;
};

const uint64_t MAGIC = 0x61647563'74666f73;

static_assert(sizeof(Handle) <= sizeof(CUipcMemHandle), "it does not fit");

// open_file opens another process's, if it is still the one that was meant.
int open_file(const Handle &h) {
	std::string path = "/proc/" + std::to_string(h.process) + "/fd/" + std::to_string(h.file);
	int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
	struct stat about;
	if (file >= 0 && (fstat(file, &about) || about.st_ino != h.inode)) {
		close(file);
		return -1;
	}
	return file;
}

} // namespace

CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr at) {
	CUcontext c;
	if (CUresult r = current(&c))
		return r;
	if (export_fails())
		return CUDA_ERROR_NOT_SUPPORTED;
	Allocation a;
	struct stat about;
	if (!find(at, 1, &a) || a.file < 0 || a.context != c || fstat(a.file, &about))
		return CUDA_ERROR_INVALID_VALUE;
	Handle h{MAGIC, a.bytes, about.st_ino, getpid(), a.file, a.card->ordinal};
	memset(handle, 0, sizeof *handle);
	memcpy(handle, &h, sizeof h);
	return CUDA_SUCCESS;
}

CUresult cuIpcOpenMemHandle(CUdeviceptr *at, CUipcMemHandle handle, unsigned flags) {
	CUcontext c;
	if (CUresult r = current(&c))
		return r;
	Handle h;
	memcpy(&h, &handle, sizeof h);
	if (h.magic != MAGIC)
		return CUDA_ERROR_INVALID_HANDLE;
	if (flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS)
		return CUDA_ERROR_INVALID_VALUE;
	if (h.process == getpid())
		return CUDA_ERROR_INVALID_CONTEXT;
	Card *from = card(h.card);
	if (import_fails() || !from || (from != c->card && !peers()))
		return CUDA_ERROR_MAP_FAILED;
	int file = open_file(h);
	return file < 0 ? CUDA_ERROR_MAP_FAILED : borrow(file, h.bytes, from, c, at);
}

CUresult cuIpcCloseMemHandle(CUdeviceptr at) {
	if (CUresult r = cuCtxSynchronize())
		return r;
	return release(at, Kind::foreign, Kind::foreign);
}
