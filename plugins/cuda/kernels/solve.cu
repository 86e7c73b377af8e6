// The kernels of package solve: programs of some shapes run to their end on chunks that are all resident.
#include "solve_flood.cuh"
#include "solve_forest.cuh"
#include "solve_nearfar.cuh"
#include "solve_subgraph.cuh"
