// store.ptx says the same.
extern "C" __global__ void store(unsigned long long *at, unsigned long long value) { at[blockIdx.x * blockDim.x + threadIdx.x] = value; }
