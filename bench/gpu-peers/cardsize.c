/* Makes a card look as small as $CARD_BYTES to a program that asks CUDA how large it is, and takes
 * what it likes of that: Subway has no option for its budget, and its share of the edges follows from
 * the card's size alone. To be preloaded:
 *
 *	LD_PRELOAD=./cardsize.so CARD_BYTES=300000000 bfs-sync --input graph.bcsr
 *
 * CUDA's runtime finds the functions of the driver with dlsym, in the end all through
 * cuGetProcAddress, whether it is linked statically or not; so these two answer for cuDeviceTotalMem.
 * Nothing is kept from the program but that number: it could still allocate more. A line on standard
 * error says that it was asked for. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int CUresult;
typedef CUresult total_mem(size_t *bytes, int device);
typedef CUresult get_proc(const char *symbol, void **function, int version, uint64_t flags);
typedef CUresult get_proc_v2(const char *symbol, void **function, int version, uint64_t flags, int *status);
typedef void *dlsym_function(void *handle, const char *symbol);

static total_mem *driver_total_mem;
static get_proc *driver_get_proc;
static get_proc_v2 *driver_get_proc_v2;

static CUresult small_total_mem(size_t *bytes, int device) {
	CUresult result = driver_total_mem(bytes, device);
	const char *limit = getenv("CARD_BYTES");
	if (result == 0 && limit && strtoull(limit, 0, 10) < *bytes) {
		fprintf(stderr, "cardsize: a card of %zu bytes appears to have %s\n", *bytes, limit);
		*bytes = strtoull(limit, 0, 10);
	}
	return result;
}

static void *answer(const char *symbol, int version, void *function);

static CUresult small_get_proc(const char *symbol, void **function, int version, uint64_t flags) {
	CUresult result = driver_get_proc(symbol, function, version, flags);
	if (result == 0)
		*function = answer(symbol, version, *function);
	return result;
}

static CUresult small_get_proc_v2(const char *symbol, void **function, int version, uint64_t flags, int *status) {
	CUresult result = driver_get_proc_v2(symbol, function, version, flags, status);
	if (result == 0)
		*function = answer(symbol, version, *function);
	return result;
}

/* answer is the function that the program gets for one of the driver's; from CUDA 12 on,
 * cuGetProcAddress is the name of its second version, too. */
static void *answer(const char *symbol, int version, void *function) {
	if (!function)
		return function;
	if (!strcmp(symbol, "cuDeviceTotalMem") || !strcmp(symbol, "cuDeviceTotalMem_v2")) {
		driver_total_mem = (total_mem *)function;
		return (void *)small_total_mem;
	}
	if (!strcmp(symbol, "cuGetProcAddress_v2") || (!strcmp(symbol, "cuGetProcAddress") && version >= 12000)) {
		driver_get_proc_v2 = (get_proc_v2 *)function;
		return (void *)small_get_proc_v2;
	}
	if (!strcmp(symbol, "cuGetProcAddress")) {
		driver_get_proc = (get_proc *)function;
		return (void *)small_get_proc;
	}
	return function;
}

void *dlsym(void *handle, const char *symbol) {
	static dlsym_function *next;
	if (!next)
		next = (dlsym_function *)dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
	return answer(symbol, 0, next(handle, symbol));
}
