// The kernels that pull (pull.cuh).
#include "pull.cuh"

#define PULL(name, Fold, Form)                                                                                    \
	extern "C" __global__ void pull_##name(const Program *p, const Chunk *c, u64 column, Scratch *s) {                  \
		pull<Fold, Form>(p, c, column, s);                                                                              \
	}                                                                                                                   \
	extern "C" __global__ void pull_pieces_##name(const Program *p, const Chunk *c, u64 column, const Scratch *s) {     \
		pull_pieces<Fold, Form>(p, c, column, s);                                                                       \
	}

#define PULL_JOIN(name, Fold) \
	extern "C" __global__ void pull_join_##name(const Program *p, const Chunk *c, const Scratch *s) { pull_join<Fold>(p, c, s); }

PULL_JOIN(float_sum, FloatSum)
PULL(float_sum_as_is, FloatSum, AsIs)
PULL(float_sum_plus, FloatSum, Plus)
PULL(float_sum_times, FloatSum, Times)
PULL(float_sum_at_most, FloatSum, AtMost)
PULL(float_sum_at_least, FloatSum, AtLeast)
PULL(float_sum_processed, FloatSum, Processed)
PULL_JOIN(float_product, FloatProduct)
PULL(float_product_as_is, FloatProduct, AsIs)
PULL(float_product_processed, FloatProduct, Processed)
PULL_JOIN(int_sum, IntSum)
PULL(int_sum_as_is, IntSum, AsIs)
PULL(int_sum_processed, IntSum, Processed)
PULL_JOIN(int_product, IntProduct)
PULL(int_product_as_is, IntProduct, AsIs)
PULL(int_product_processed, IntProduct, Processed)
