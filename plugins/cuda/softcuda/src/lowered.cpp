// The functions that a program is lowered to, as kernels call them: those of the module that is running.
#include "function.h"
#include "module.h"
#include "multiprocessor.h"

using namespace softcuda;

typedef uint64_t u64;

static const CUmod_st &module() { return Multiprocessor::here()->module(); }

template <class... Arguments> static u64 call(const Function *f, Arguments... arguments) {
	if (!f)
		Multiprocessor::here()->fail(CUDA_ERROR_LAUNCH_FAILED, "calls a function that its module has not");
	const u64 given[] = {arguments...};
	return f->call(given);
}

extern "C" {
void penstock_init(u64 program, u64 v) { call(module().init, program, v); }
void penstock_apply(u64 program, u64 v) { call(module().apply, program, v); }
u64 penstock_process(u64 program, u64 chunk, u64 source, u64 target, u64 edge) { return call(module().process, program, chunk, source, target, edge); }
u64 penstock_aggregate(u64 program, u64 k, u64 v) { return call(module().aggregate, program, k, v); }
}
