// penstock_libcuda loads the driver's library, if that has not been done, and returns what its cuInit did, or
// CUDA_ERROR_SHARED_OBJECT_INIT_FAILED where there is none. *tried is where it was looked for, for people;
// it lasts.
int penstock_libcuda(const char **tried);
