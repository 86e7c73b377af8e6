// Copies and fills. What is not pinned is copied as drivers do it: towards a card it has been read when the
// call returns, from a card it has been written.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "context.h"
#include "memory.h"
#include "settings.h"
#include "stream.h"

using namespace softcuda;

namespace {

// there says whether a range is known: when a copy is asked for.
bool there(CUdeviceptr at, size_t bytes) {
	Allocation a;
	return find(at, bytes, &a);
}

// still says whether it is when the stream comes to it, and whether the stream that takes it has come to that.
bool still(CUdeviceptr at, size_t bytes) {
	Allocation a;
	if (!find(at, bytes, &a))
		return false;
	if (a.early)
		dprintf(2, "softcuda: %llx is copied or filled before the stream that takes it has come to that (error %d)\n", (unsigned long long)at, CUDA_ERROR_ILLEGAL_ADDRESS);
	return !a.early;
}

// refused says whether a driver would not copy from or to memory of the host: part of it is pinned, or a test wants all to be.
bool refused(const void *host, size_t bytes) {
	return partly_pinned(host, bytes) || (!pinned(host, bytes) && !number("SOFTCUDA_PAGEABLE", 1));
}

// move is a copy within a stream.
CUstream_st::Work move(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
	return [=] {
		if (!still(to, bytes) || !still(from, bytes))
			return CUDA_ERROR_ILLEGAL_ADDRESS;
		memmove((void *)to, (const void *)from, bytes);
		return CUDA_SUCCESS;
	};
}

CUresult copy_in(CUdeviceptr to, const void *from, size_t bytes, const Stream &s) {
	if (!there(to, bytes) || refused(from, bytes))
		return CUDA_ERROR_INVALID_VALUE;
	if (pinned(from, bytes)) {
		enqueue(s, move(to, (CUdeviceptr)from, bytes));
		return CUDA_SUCCESS;
	}
	std::string staged((const char *)from, bytes);
	enqueue(s, [=] {
		if (!still(to, bytes))
			return CUDA_ERROR_ILLEGAL_ADDRESS;
		memcpy((void *)to, staged.data(), bytes);
		return CUDA_SUCCESS;
	});
	return CUDA_SUCCESS;
}

CUresult copy_out(void *to, CUdeviceptr from, size_t bytes, const Stream &s) {
	if (!there(from, bytes) || refused(to, bytes))
		return CUDA_ERROR_INVALID_VALUE;
	if (pinned(to, bytes)) {
		enqueue(s, move((CUdeviceptr)to, from, bytes));
		return CUDA_SUCCESS;
	}
	enqueue(s, [=] {
		if (!still(from, bytes))
			return CUDA_ERROR_ILLEGAL_ADDRESS;
		memcpy(to, (const void *)from, bytes);
		return CUDA_SUCCESS;
	});
	return synchronize(s);
}

CUresult copy_within(CUdeviceptr to, CUdeviceptr from, size_t bytes, const Stream &s) {
	if (!there(to, bytes) || !there(from, bytes))
		return CUDA_ERROR_INVALID_VALUE;
	enqueue(s, move(to, from, bytes));
	return CUDA_SUCCESS;
}

// copy looks at the addresses: those that are not known are the host's.
CUresult copy(CUdeviceptr to, CUdeviceptr from, size_t bytes, const Stream &s) {
	if (on_card(from, bytes) || pinned((void *)from, bytes))
		return there(to, bytes) ? copy_within(to, from, bytes, s) : copy_out((void *)to, from, bytes, s);
	return copy_in(to, (const void *)from, bytes, s);
}

// on has a stream do something, and waits for it where the call is not asynchronous.
template <class Do> CUresult on(CUstream in, bool wait, size_t bytes, Do something) {
	Stream s;
	if (CUresult r = stream(in, &s))
		return r;
	if (!bytes)
		return CUDA_SUCCESS;
	if (CUresult r = something(s))
		return r;
	return wait ? synchronize(s) : CUDA_SUCCESS;
}

// fill writes a value n times.
template <class T> CUresult fill(CUdeviceptr at, T value, size_t n, CUstream in, bool wait) {
	size_t bytes = n * sizeof(T);
	return on(in, wait, bytes, [=](const Stream &s) {
		if (!there(at, bytes) || at % sizeof(T))
			return CUDA_ERROR_INVALID_VALUE;
		enqueue(s, [=] {
			if (!still(at, bytes))
				return CUDA_ERROR_ILLEGAL_ADDRESS;
			std::fill_n((T *)at, n, value);
			return CUDA_SUCCESS;
		});
		return CUDA_SUCCESS;
	});
}

} // namespace

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream in) {
	return on(in, false, bytes, [=](const Stream &s) { return copy_in(to, from, bytes, s); });
}
CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream in) {
	return on(in, false, bytes, [=](const Stream &s) { return copy_out(to, from, bytes, s); });
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream in) {
	return on(in, false, bytes, [=](const Stream &s) { return copy_within(to, from, bytes, s); });
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream in) {
	return on(in, false, bytes, [=](const Stream &s) { return copy(to, from, bytes, s); });
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, size_t bytes, CUstream in) {
	return cuMemcpyDtoDAsync(to, from, bytes, in);
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) {
	return on(nullptr, true, bytes, [=](const Stream &s) { return copy_in(to, from, bytes, s); });
}
CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
	return on(nullptr, true, bytes, [=](const Stream &s) { return copy_out(to, from, bytes, s); });
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
	return on(nullptr, true, bytes, [=](const Stream &s) { return copy_within(to, from, bytes, s); });
}
CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
	return on(nullptr, true, bytes, [=](const Stream &s) { return copy(to, from, bytes, s); });
}
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, size_t bytes) { return cuMemcpyDtoD(to, from, bytes); }

CUresult cuMemsetD8Async(CUdeviceptr at, unsigned char v, size_t n, CUstream in) { return fill(at, v, n, in, false); }
CUresult cuMemsetD16Async(CUdeviceptr at, unsigned short v, size_t n, CUstream in) { return fill(at, v, n, in, false); }
CUresult cuMemsetD32Async(CUdeviceptr at, unsigned v, size_t n, CUstream in) { return fill(at, v, n, in, false); }
CUresult cuMemsetD8(CUdeviceptr at, unsigned char v, size_t n) { return fill(at, v, n, nullptr, true); }
CUresult cuMemsetD16(CUdeviceptr at, unsigned short v, size_t n) { return fill(at, v, n, nullptr, true); }
CUresult cuMemsetD32(CUdeviceptr at, unsigned v, size_t n) { return fill(at, v, n, nullptr, true); }
