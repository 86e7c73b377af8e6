// A test double of cuBLAS: what of it package blas calls, on the test double of the driver. It multiplies on the processor
// when it is called, once the stream has come to that, as nothing else may show.
//
//	SOFTCUDA_BLAS_FAIL=N   the N-th product fails; 0: there is no handle
#include <cuda.h>
#include <dlfcn.h>

#include <cstdlib>
#include <vector>

namespace {

struct Handle {
	CUstream stream = nullptr;
	void *workspace = nullptr;
	int products = 0;
};

template <class Function> Function driver(const char *name) {
	static void *library = dlopen(getenv("PENSTOCK_LIBCUDA"), RTLD_NOW | RTLD_LOCAL);
	return (Function)dlsym(library, name);
}

int fails() {
	const char *text = getenv("SOFTCUDA_BLAS_FAIL");
	return text ? atoi(text) : -1;
}

std::vector<float> fetch(const float *from, size_t count) {
	std::vector<float> all(count);
	driver<decltype(&cuMemcpyDtoH)>("cuMemcpyDtoH_v2")(all.data(), (CUdeviceptr)from, count * sizeof(float));
	return all;
}

enum { SUCCESS = 0, NOT_INITIALIZED = 1, INVALID_VALUE = 7, EXECUTION_FAILED = 13 };

} // namespace

extern "C" {

int cublasCreate_v2(void **handle) {
	if (fails() == 0)
		return NOT_INITIALIZED;
	*handle = new Handle;
	return SUCCESS;
}

int cublasDestroy_v2(void *handle) {
	delete (Handle *)handle;
	return SUCCESS;
}

int cublasSetStream_v2(void *handle, void *stream) {
	((Handle *)handle)->stream = (CUstream)stream;
	((Handle *)handle)->workspace = nullptr;
	return SUCCESS;
}

int cublasSetWorkspace_v2(void *handle, void *workspace, size_t bytes) {
	((Handle *)handle)->workspace = workspace;
	return bytes > 0 && (size_t)workspace % 256 == 0 ? SUCCESS : INVALID_VALUE;
}

int cublasGetProperty(int which, int *value) {
	*value = which == 0 ? 12 : 99;
	return SUCCESS;
}

int cublasSgemm_v2(void *handle, int a_transposed, int b_transposed, int m, int n, int k, const float *alpha, const float *a,
	int a_apart, const float *b, int b_apart, const float *beta, float *c, int c_apart) {
	Handle *h = (Handle *)handle;
	if (++h->products == fails())
		return EXECUTION_FAILED;
	if (!h->workspace || *alpha != 1 || *beta != 0 || a_apart < (a_transposed ? k : m) || b_apart < (b_transposed ? n : k) ||
		c_apart < m)
		return INVALID_VALUE;
	driver<decltype(&cuStreamSynchronize)>("cuStreamSynchronize")(h->stream);
	if (m == 0 || n == 0)
		return SUCCESS;
	std::vector<float> x = fetch(a, k == 0 ? 0 : (size_t)a_apart * (a_transposed ? m : k)),
	                   y = fetch(b, k == 0 ? 0 : (size_t)b_apart * (b_transposed ? k : n)), z((size_t)m * n);
	for (int j = 0; j < n; j++)
		for (int i = 0; i < m; i++) {
			double sum = 0;
			for (int l = 0; l < k; l++)
				sum += (double)x[a_transposed ? l + (size_t)i * a_apart : i + (size_t)l * a_apart] *
				       y[b_transposed ? j + (size_t)l * b_apart : l + (size_t)j * b_apart];
			z[i + (size_t)j * m] = (float)sum;
		}
	for (int j = 0; j < n; j++)
		driver<decltype(&cuMemcpyHtoD)>("cuMemcpyHtoD_v2")((CUdeviceptr)(c + (size_t)j * c_apart), &z[(size_t)j * m],
			m * sizeof(float));
	return SUCCESS;
}
}
