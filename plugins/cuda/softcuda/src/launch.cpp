// Launches, and what a kernel's grid had best be like.
#include <unistd.h>

#include "context.h"
#include "fault.h"
#include "module.h"
#include "stream.h"
#include "worker.h"

using namespace softcuda;

// follow runs it, or does what a test has asked for instead.
static CUresult follow(Course course, const Launch &l) {
	switch (course) {
	case Course::hang:
		for (;;)
			pause();
	case Course::sticky: return CUDA_ERROR_ILLEGAL_ADDRESS;
	default: return multiprocessor().run(l);
	}
}

static bool fits(uint3 grid, uint3 block, unsigned shared) {
	uint64_t threads = (uint64_t)block.x * block.y * block.z;
	return grid.x && grid.y && grid.z && grid.x <= 2147483647 && grid.y <= 65535 && grid.z <= 65535 && threads && threads <= MAX_THREADS && shared == 0;
}

CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, CUstream in, void **parameters, void **extra) {
	Stream s;
	if (CUresult r = stream(in, &s))
		return r;
	auto module = module_of(f);
	if (!module || module->context != s->context)
		return CUDA_ERROR_INVALID_HANDLE;
	Launch l{module, f->name.c_str(), f->code, f->parameters, {}, {gx, gy, gz}, {bx, by, bz}};
	if (!fits(l.grid, l.block, shared) || extra || (f->parameters && !parameters))
		return CUDA_ERROR_INVALID_VALUE;
	for (unsigned i = 0; i < f->parameters; i++)
		l.parameter[i] = *(const uint64_t *)parameters[i];
	Course course = next_launch();
	enqueue(s, [l, course] { return follow(course, l); });
	return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction f, int threads, size_t) {
	if (!module_of(f) || threads <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	*blocks = threads <= (int)MAX_THREADS ? MAX_THREADS / threads : 0;
	return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction f, int threads, size_t shared, unsigned) {
	return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, f, threads, shared);
}

CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction f, CUoccupancyB2DSize, size_t, int most) {
	if (!module_of(f))
		return CUDA_ERROR_INVALID_VALUE;
	*block = most > 0 && most < 256 ? most : 256;
	*grid = 2 * MAX_THREADS / *block;
	return CUDA_SUCCESS;
}
