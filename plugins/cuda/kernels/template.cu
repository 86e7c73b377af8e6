// What programs run by. The functions of a program's own (lowered.cuh) are joined with it before it is loaded.
#include "exponential.cu"
#include "pull.cu"
#include "push.cu"
#include "vertex.cu"
