// A libcuda without a driver: what a program that needs one is linked with, so that it starts on a machine
// that has none, and says so in its own words.
//
//	cuInit ──▶ success, at once
//	any other cuX ──▶ table[X] ──the first time──▶ load: dlopen, the driver's cuInit, dlsym of every name
//	                        └──────────────────────────▶ the driver's cuX, or unavailable
//
// cuInit waits because gorgonia.org/cu calls it before main, and ends the process where it fails. The names
// and the table are made by trampolines.sh out of cuda.h.
#include <cuda.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim.h"

extern const char *const penstock_libcuda_names[];
extern void *penstock_libcuda_table[];
extern const int penstock_libcuda_count;

// Where drivers put their library, if the dynamic loader does not know it.
static const char *const places[] = {
	"libcuda.so.1",
	"/usr/lib/x86_64-linux-gnu/libcuda.so.1",
	"/usr/lib64/libcuda.so.1",
	"/usr/local/nvidia/lib64/libcuda.so.1",
	"/usr/lib/wsl/lib/libcuda.so.1",
	"/run/opengl-driver/lib/libcuda.so.1",
	NULL,
};

static struct {
	CUresult status; // of the loading, then of the driver's cuInit
	char tried[4096];
	size_t used;
} outcome;

static void note(const char *before, const char *what) {
	if (outcome.used < sizeof outcome.tried)
		outcome.used += snprintf(outcome.tried + outcome.used, sizeof outcome.tried - outcome.used, "%s%s", before, what);
}

static void *try_place(const char *place) {
	void *library = dlopen(place, RTLD_NOW | RTLD_LOCAL);
	const char *said = library ? place : dlerror();
	note(outcome.used ? "; " : "", strstr(said, "No such file") ? place : said);
	if (library && !dlsym(library, "cuInit")) {
		note(" has no ", "cuInit");
		return NULL; // it stays loaded: it is something else, and may be in use
	}
	return library;
}

static void *find_library(void) {
	const char *const *place = places;
	const char *named = getenv("PENSTOCK_LIBCUDA");
	if (named && *named)
		return try_place(named);
	void *library = NULL;
	for (; *place && !library; place++)
		library = try_place(*place);
	return library;
}

// Stands in for every function while there is no library; it looks at none of its arguments.
static CUresult unavailable(void) { return CUDA_ERROR_SHARED_OBJECT_INIT_FAILED; }

// Stands in for a function that this driver does not have yet.
static CUresult missing(void) { return CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND; }

static void load(void) {
	void *library = find_library();
	for (int i = 0; i < penstock_libcuda_count; i++) {
		void *function = library ? dlsym(library, penstock_libcuda_names[i]) : (void *)unavailable;
		penstock_libcuda_table[i] = function ? function : (void *)missing;
	}
	outcome.status = library ? ((CUresult(*)(unsigned))dlsym(library, "cuInit"))(0) : unavailable();
}

// What every entry of the table leads to at first.
__attribute__((visibility("hidden"))) void penstock_libcuda_load(void) {
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, load);
}

__attribute__((visibility("hidden"))) CUresult CUDAAPI cuInit(unsigned int flags) {
	(void)flags;
	return CUDA_SUCCESS;
}

int penstock_libcuda(const char **tried) {
	penstock_libcuda_load();
	*tried = outcome.tried;
	return outcome.status;
}
