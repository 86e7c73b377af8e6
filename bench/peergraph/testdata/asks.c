/* Asks for the size of card 0 directly, by way of cuGetProcAddress, and by way of its second version. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
	int (*total)(size_t *, int), status = 1;
	int (*find)(const char *, void **, int, uint64_t), (*find_v2)(const char *, void **, int, uint64_t, int *);
	size_t direct = 0, found = 0, found_v2 = 0;
	void *driver = dlopen("libcuda.so.1", RTLD_NOW);
	if (!driver)
		return 1;
	*(void **)&total = dlsym(driver, "cuDeviceTotalMem_v2");
	*(void **)&find = dlsym(driver, "cuGetProcAddress");
	if (total(&direct, 0) || find("cuDeviceTotalMem", (void **)&total, 3020, 0) || total(&found, 0) ||
	    find("cuGetProcAddress", (void **)&find_v2, 12000, 0) || find_v2("cuDeviceTotalMem", (void **)&total, 3020, 0, &status) || status ||
	    total(&found_v2, 0))
		return 1;
	printf("%zu %zu %zu", direct, found, found_v2);
	return 0;
}
