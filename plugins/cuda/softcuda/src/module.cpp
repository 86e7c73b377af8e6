#include "module.h"

#include <dlfcn.h>

#include <cstring>
#include <set>

#include "context.h"
#include "handles.h"
#include "multiprocessor.h"

using namespace softcuda;

static Handles<CUmod_st> &modules = *new Handles<CUmod_st>;

// code finds a kernel among those that were linked with this library, or with the program that uses it.
static void *code(const std::string &name) {
	static void *const own = [] {
		Dl_info here;
		dladdr((void *)cuModuleLoadData, &here);
		return dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	}();
	void *found = own ? dlsym(own, name.c_str()) : nullptr;
	return found ? found : dlsym(RTLD_DEFAULT, name.c_str());
}

CUmod_st::CUmod_st(CUcontext c, const char *text) : context(c) {
	std::vector<Declaration> all = declarations(text, lowered);
	for (const Declaration &d : all)
		if (d.kernel)
			add(d);
	functions = softcuda::functions(all);
	init = function("penstock_init");
	apply = function("penstock_apply");
	process = function("penstock_process");
	aggregate = function("penstock_aggregate");
}

void CUmod_st::add(const Declaration &d) {
	static const std::set<std::string> words = {"u64", "s64", "b64"};
	for (const Parameter &p : d.parameters)
		if (!words.count(p.type))
			throw Invalid(d.line, "softcuda gives kernels parameters of 8 bytes that are no floating-point numbers; '" + d.name + "' has a ." + p.type);
	if (d.parameters.size() > MAX_PARAMETERS)
		throw Invalid(d.line, "'" + d.name + "' has more parameters than softcuda can give");
	void *at = code(d.name);
	if (!at)
		throw Invalid(d.line, "the source of kernel '" + d.name + "' was not compiled into softcuda");
	kernels[d.name] = {this, d.name, at, (unsigned)d.parameters.size()};
}

const Function *CUmod_st::function(const char *name) const {
	auto found = functions.find(name);
	return found == functions.end() ? nullptr : &found->second;
}

std::shared_ptr<CUmod_st> softcuda::module_of(CUfunction f) { return f ? modules.get(f->module) : nullptr; }

namespace {

// A Log is what the JIT has room to say its errors in.
struct Log {
	char *buffer = nullptr;
	size_t room = 0;
	void **size = nullptr; // where to say how much it was

	Log(unsigned count, CUjit_option *options, void **values) {
		for (unsigned i = 0; i < count; i++)
			if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
				buffer = (char *)values[i];
			else if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
				room = (size_t)values[i] & 0xffffffff, size = &values[i];
	}
	void say(const std::string &text) {
		size_t n = std::min(text.size() + 1, room);
		if (!buffer || !n)
			return;
		memcpy(buffer, text.c_str(), n);
		buffer[n - 1] = 0;
		*size = (void *)n;
	}
};

} // namespace

CUresult cuModuleLoadDataEx(CUmodule *to, const void *image, unsigned count, CUjit_option *options, void **values) {
	CUcontext c;
	if (CUresult r = current(&c))
		return r;
	Log log(count, options, values);
	try {
		*to = modules.add(std::make_shared<CUmod_st>(c, (const char *)image));
		return CUDA_SUCCESS;
	} catch (const Invalid &wrong) {
		log.say(std::string(wrong.what()) + "\nptxas fatal   : Ptx assembly aborted due to errors");
		return CUDA_ERROR_INVALID_PTX;
	}
}

CUresult cuModuleLoadData(CUmodule *to, const void *image) { return cuModuleLoadDataEx(to, image, 0, nullptr, nullptr); }

CUresult cuModuleUnload(CUmodule m) {
	CUcontext c;
	if (CUresult r = current(&c))
		return r;
	return modules.remove(m) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuModuleGetFunction(CUfunction *to, CUmodule handle, const char *name) {
	CUcontext c;
	if (CUresult r = current(&c))
		return r;
	auto m = modules.get(handle);
	if (!m)
		return CUDA_ERROR_INVALID_HANDLE;
	auto found = m->kernels.find(name);
	if (found == m->kernels.end())
		return CUDA_ERROR_NOT_FOUND;
	*to = &found->second;
	return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction f) {
	if (!module_of(f))
		return CUDA_ERROR_INVALID_HANDLE;
	switch (attribute) {
	case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = MAX_THREADS; break;
	case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = 32; break;
	case CU_FUNC_ATTRIBUTE_PTX_VERSION:
	case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = 70; break;
	default: *value = 0;
	}
	return CUDA_SUCCESS;
}
