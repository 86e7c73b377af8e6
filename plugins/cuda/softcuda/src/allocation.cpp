// The driver's functions that allocate.
#include "context.h"
#include "memory.h"
#include "stream.h"

using namespace softcuda;

CUresult cuMemGetInfo(size_t *free, size_t *total) {
	CUcontext c;
	if (CUresult r = current(&c))
		return r;
	*free = c->card->free();
	*total = c->card->total;
	return CUDA_SUCCESS;
}

static CUresult take(Kind kind, CUdeviceptr *at, size_t bytes) {
	CUcontext c;
	if (CUresult r = current(&c))
		return r;
	return allocate(kind, c, bytes, at);
}

// cuMemAlloc gives memory that other processes may be given a handle of, as the other ways do not.
CUresult cuMemAlloc(CUdeviceptr *at, size_t bytes) {
	CUcontext c;
	if (CUresult r = current(&c))
		return r;
	return allocate(Kind::device, c, bytes, at, true);
}

CUresult cuMemAllocManaged(CUdeviceptr *at, size_t bytes, unsigned) { return take(Kind::managed, at, bytes); }

// cuMemFree waits for all that is being done, as drivers do.
CUresult cuMemFree(CUdeviceptr at) {
	if (CUresult r = cuCtxSynchronize())
		return r;
	return at ? release(at, Kind::device, Kind::managed) : CUDA_SUCCESS;
}

static CUresult take_early(const Stream &s, CUdeviceptr *at, size_t bytes) {
	CUdeviceptr taken;
	if (CUresult r = allocate_early(s->context, bytes, &taken))
		return r;
	*at = taken;
	enqueue(s, [=] { return arrive(taken), CUDA_SUCCESS; }, true);
	return CUDA_SUCCESS;
}

// cuMemAllocAsync gives an address at once, where nothing may be touched before the stream has come to it. If there is no memory
// left, what the stream has yet to free will do.
CUresult cuMemAllocAsync(CUdeviceptr *at, size_t bytes, CUstream in) {
	Stream s;
	if (CUresult r = stream(in, &s))
		return r;
	CUresult r = take_early(s, at, bytes);
	if (r != CUDA_ERROR_OUT_OF_MEMORY || !s->frees)
		return r;
	if (CUresult lost = synchronize(s))
		return lost;
	return take_early(s, at, bytes);
}

CUresult cuMemFreeAsync(CUdeviceptr at, CUstream in) {
	Stream s;
	if (CUresult r = stream(in, &s))
		return r;
	if (!on_card(at, 1))
		return CUDA_ERROR_INVALID_VALUE;
	s->frees++;
	enqueue(s, [=] {
		s->frees--;
		return release(at, Kind::device, Kind::managed) ? CUDA_ERROR_ILLEGAL_ADDRESS : CUDA_SUCCESS;
	});
	return CUDA_SUCCESS;
}

static CUresult pin(void **at, size_t bytes) {
	CUdeviceptr p;
	if (CUresult r = take(Kind::pinned, &p, bytes))
		return r;
	*at = (void *)p;
	return CUDA_SUCCESS;
}

CUresult cuMemAllocHost(void **at, size_t bytes) { return pin(at, bytes); }
CUresult cuMemHostAlloc(void **at, size_t bytes, unsigned) { return pin(at, bytes); }

CUresult cuMemFreeHost(void *at) {
	if (CUresult r = cuCtxSynchronize())
		return r;
	return release((CUdeviceptr)at, Kind::pinned, Kind::pinned);
}

CUresult cuMemHostRegister(void *at, size_t bytes, unsigned) {
	CUcontext c;
	if (CUresult r = current(&c))
		return r;
	return enlist(at, bytes, c);
}

CUresult cuMemHostUnregister(void *at) {
	if (CUresult r = cuCtxSynchronize())
		return r;
	return strike(at);
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *to, void *at, unsigned) {
	if (!pinned(at, 1))
		return CUDA_ERROR_INVALID_VALUE;
	*to = (CUdeviceptr)at;
	return CUDA_SUCCESS;
}

CUresult cuMemGetAddressRange(CUdeviceptr *at, size_t *bytes, CUdeviceptr within) {
	Allocation a;
	if (!find(within, 1, &a))
		return CUDA_ERROR_NOT_FOUND;
	if (at)
		*at = a.at;
	if (bytes)
		*bytes = a.bytes;
	return CUDA_SUCCESS;
}

CUresult cuMemPrefetchAsync(CUdeviceptr at, size_t bytes, CUdevice, CUstream in) {
	Stream s;
	if (CUresult r = stream(in, &s))
		return r;
	Allocation a;
	return find(at, bytes, &a) && a.kind == Kind::managed ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemAdvise(CUdeviceptr at, size_t bytes, CUmem_advise, CUdevice) {
	Allocation a;
	return find(at, bytes, &a) && a.kind == Kind::managed ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
