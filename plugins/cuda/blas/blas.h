// The functions of cuBLAS that are called, in the order of library.go's names. A status of 0 is success.
#pragma once

#include <stddef.h>

struct blas {
	int (*create)(void **handle);
	int (*destroy)(void *handle);
	int (*set_stream)(void *handle, void *stream);
	int (*sgemm)(void *handle, int a_transposed, int b_transposed, int m, int n, int k, const float *alpha, const float *a,
		int a_apart, const float *b, int b_apart, const float *beta, float *c, int c_apart);
	int (*property)(int which, int *value);
	int (*set_workspace)(void *handle, void *workspace, size_t bytes);
};
