/* A stand-in for CUDA's driver, with a card of 1000 bytes. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

int cuDeviceTotalMem_v2(size_t *bytes, int device) {
	*bytes = 1000;
	return device;
}

int cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags, int *status);

int cuGetProcAddress(const char *symbol, void **function, int version, uint64_t flags) {
	*function = 0;
	if (!strcmp(symbol, "cuDeviceTotalMem"))
		*function = (void *)cuDeviceTotalMem_v2;
	if (!strcmp(symbol, "cuGetProcAddress"))
		*function = version < 12000 ? (void *)cuGetProcAddress : (void *)cuGetProcAddress_v2;
	return flags != 0;
}

int cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags, int *status) {
	*status = 0;
	return cuGetProcAddress(symbol, function, version, flags);
}
