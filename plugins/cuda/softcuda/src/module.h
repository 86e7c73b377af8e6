// A module is what a text of PTX has: kernels, whose code is that which g++ has made of their source, and the
// functions that a program was lowered to, which are interpreted.
#pragma once

#include <cuda.h>

#include <map>
#include <memory>
#include <string>

#include "function.h"

struct CUfunc_st {
	CUmodule module;
	std::string name;
	void *code;
	unsigned parameters;
};

struct CUmod_st : std::enable_shared_from_this<CUmod_st> {
	CUmod_st(CUcontext, const char *text); // throws softcuda::Invalid

	CUcontext const context;
	std::map<std::string, CUfunc_st> kernels;
	softcuda::Functions functions;
	const softcuda::Function *init, *apply, *process, *aggregate; // of those, or null

private:
	void add(const softcuda::Declaration &);
	const softcuda::Function *function(const char *name) const;
};

namespace softcuda {

std::shared_ptr<CUmod_st> module_of(CUfunction); // null: it is none, or unloaded

} // namespace softcuda
