// The card's pool of memory: it keeps nothing that has been freed, whatever it is told.
#include "card.h"
#include "device.h"

using namespace softcuda;

// A pool is its card's ordinal, and one.
static CUmemoryPool pool(int device) { return (CUmemoryPool)(intptr_t)(device + 1); }
static Card *card_of(CUmemoryPool p) { return card((int)(intptr_t)p - 1); }

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *p, CUdevice device) {
	if (!initialised())
		return CUDA_ERROR_NOT_INITIALIZED;
	*p = pool(device);
	return card(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetMemPool(CUmemoryPool *p, CUdevice device) { return cuDeviceGetDefaultMemPool(p, device); }

CUresult cuMemPoolSetAttribute(CUmemoryPool p, CUmemPool_attribute, void *) {
	return card_of(p) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemPoolGetAttribute(CUmemoryPool p, CUmemPool_attribute attribute, void *value) {
	Card *c = card_of(p);
	if (!c)
		return CUDA_ERROR_INVALID_VALUE;
	switch (attribute) {
	case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
	case CU_MEMPOOL_ATTR_USED_MEM_CURRENT: {
		std::lock_guard<std::mutex> hold(c->guard);
		*(cuuint64_t *)value = c->used;
		return CUDA_SUCCESS;
	}
	case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: *(cuuint64_t *)value = 0; return CUDA_SUCCESS;
	default: return CUDA_ERROR_INVALID_VALUE;
	}
}

CUresult cuMemPoolTrimTo(CUmemoryPool p, size_t) { return card_of(p) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; }
