// Copies and fills. What is not pinned is copied as drivers do it: towards a card it has been read when the
// call returns, from a card it has been written.
#include <cstring>
#include <string>

#include "context.h"
#include "memory.h"
#include "stream.h"

using namespace softcuda;

namespace {

// A Range is known when a copy is asked for; it must still be when the stream comes to it.
bool there(CUdeviceptr at, size_t bytes) {
	Allocation a;
	return find(at, bytes, &a);
}

// move is a copy within a stream.
CUstream_st::Work move(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
	return [=] {
		if (!there(to, bytes) || !there(from, bytes))
			return CUDA_ERROR_ILLEGAL_ADDRESS;
		memmove((void *)to, (const void *)from, bytes);
		return CUDA_SUCCESS;
	};
}

CUresult copy_in(CUdeviceptr to, const void *from, size_t bytes, const Stream &s) {
	if (!there(to, bytes))
		return CUDA_ERROR_INVALID_VALUE;
	if (pinned(from, bytes)) {
		enqueue(s, move(to, (CUdeviceptr)from, bytes));
		return CUDA_SUCCESS;
	}
	std::string staged((const char *)from, bytes);
	enqueue(s, [=] {
		if (!there(to, bytes))
			return CUDA_ERROR_ILLEGAL_ADDRESS;
		memcpy((void *)to, staged.data(), bytes);
		return CUDA_SUCCESS;
	});
	return CUDA_SUCCESS;
}

CUresult copy_out(void *to, CUdeviceptr from, size_t bytes, const Stream &s) {
	if (!there(from, bytes))
		return CUDA_ERROR_INVALID_VALUE;
	if (pinned(to, bytes)) {
		enqueue(s, move((CUdeviceptr)to, from, bytes));
		return CUDA_SUCCESS;
	}
	enqueue(s, [=] {
		if (!there(from, bytes))
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

// fill writes a value at each of height rows of width values, pitch bytes apart.
template <class T> CUresult fill(CUdeviceptr at, size_t pitch, T value, size_t width, size_t height, CUstream in, bool wait) {
	size_t bytes = height ? (height - 1) * pitch + width * sizeof(T) : 0;
	return on(in, wait, width ? bytes : 0, [=](const Stream &s) {
		if (!there(at, bytes) || at % sizeof(T) || (height > 1 && (pitch % sizeof(T) || pitch < width * sizeof(T))))
			return CUDA_ERROR_INVALID_VALUE;
		enqueue(s, [=] {
			if (!there(at, bytes))
				return CUDA_ERROR_ILLEGAL_ADDRESS;
			for (size_t y = 0; y < height; y++)
				for (size_t x = 0; x < width; x++)
					((T *)(at + y * pitch))[x] = value;
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

CUresult cuMemsetD8Async(CUdeviceptr at, unsigned char v, size_t n, CUstream in) { return fill(at, 0, v, n, 1, in, false); }
CUresult cuMemsetD16Async(CUdeviceptr at, unsigned short v, size_t n, CUstream in) { return fill(at, 0, v, n, 1, in, false); }
CUresult cuMemsetD32Async(CUdeviceptr at, unsigned v, size_t n, CUstream in) { return fill(at, 0, v, n, 1, in, false); }
CUresult cuMemsetD8(CUdeviceptr at, unsigned char v, size_t n) { return fill(at, 0, v, n, 1, nullptr, true); }
CUresult cuMemsetD16(CUdeviceptr at, unsigned short v, size_t n) { return fill(at, 0, v, n, 1, nullptr, true); }
CUresult cuMemsetD32(CUdeviceptr at, unsigned v, size_t n) { return fill(at, 0, v, n, 1, nullptr, true); }
CUresult cuMemsetD2D32Async(CUdeviceptr at, size_t pitch, unsigned v, size_t width, size_t height, CUstream in) {
	return fill(at, pitch, v, width, height, in, false);
}
