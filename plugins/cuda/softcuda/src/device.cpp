#include "device.h"

#include <cuda.h>

#include <atomic>
#include <cstdio>
#include <cstring>

#include "card.h"
#include "fault.h"
#include "settings.h"
#include "signals.h"

using namespace softcuda;

static std::atomic<bool> begun;

bool softcuda::initialised() { return begun; }

CUresult cuInit(unsigned flags) {
	if (flags)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult r = initialisation();
	if (!r && !begun.exchange(true))
		catch_signals();
	return r;
}

static int version_of_driver() { return number("SOFTCUDA_VERSION", 12020); }

CUresult cuDriverGetVersion(int *version) {
	*version = version_of_driver();
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count) {
	if (!begun)
		return CUDA_ERROR_NOT_INITIALIZED;
	*count = cards();
	return CUDA_SUCCESS;
}

// known finds a card.
static CUresult known(int ordinal, Card **c) {
	if (!begun)
		return CUDA_ERROR_NOT_INITIALIZED;
	*c = card(ordinal);
	return *c ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
	Card *c;
	*device = ordinal;
	return known(ordinal, &c);
}

CUresult cuDeviceGetName(char *name, int room, CUdevice device) {
	Card *c;
	if (CUresult r = known(device, &c))
		return r;
	snprintf(name, room, "softcuda (a test double of a card)");
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
	Card *c;
	if (CUresult r = known(device, &c))
		return r;
	memcpy(uuid->bytes, "softcuda, card ", 15);
	uuid->bytes[15] = '0' + device;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) { return cuDeviceGetUuid(uuid, device); }

CUresult cuDeviceGetPCIBusId(char *id, int room, CUdevice device) {
	Card *c;
	if (CUresult r = known(device, &c))
		return r;
	snprintf(id, room, "ffff:%02x:00.0", device);
	return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
	Card *c;
	if (CUresult r = known(device, &c))
		return r;
	*bytes = c->total;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
	Card *c;
	if (CUresult r = known(device, &c))
		return r;
	switch (attribute) {
	case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = number("SOFTCUDA_CAPABILITY", 7); break;
	case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: *value = 0; break;
	case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *value = 2; break; // few blocks: each does much
	case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR: *value = 1024; break;
	case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
	case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X:
	case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y: *value = 1024; break;
	case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z: *value = 64; break;
	case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X: *value = 2147483647; break;
	case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
	case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z: *value = 65535; break;
	case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: *value = 48 << 10; break;
	case CU_DEVICE_ATTRIBUTE_WARP_SIZE: *value = 32; break;
	case CU_DEVICE_ATTRIBUTE_CLOCK_RATE: *value = 1000000; break;
	case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE: *value = 1000000; break;
	case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH: *value = 64; break;
	case CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT: *value = 2; break;
	case CU_DEVICE_ATTRIBUTE_PCI_BUS_ID: *value = device; break;
	case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING:
	case CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY:
	case CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM:
	case CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED:
	case CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY:
	case CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS:
	case CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS:
	case CU_DEVICE_ATTRIBUTE_GPU_OVERLAP: *value = 1; break;
	case CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED:
		if (version_of_driver() < 11020) // which have never heard of it
			return CUDA_ERROR_INVALID_VALUE;
		*value = number("SOFTCUDA_POOLS", 1) != 0; break;
	default: *value = 0;
	}
	return CUDA_SUCCESS;
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice other) {
	Card *a, *b;
	if (CUresult r = known(device, &a))
		return r;
	if (CUresult r = known(other, &b))
		return r;
	*can = a != b && peers();
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute, CUdevice device, CUdevice other) {
	if (CUresult r = cuDeviceCanAccessPeer(value, device, other))
		return r;
	*value = *value && attribute == CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED;
	return CUDA_SUCCESS;
}
