// The kernels of the algorithms that are no vertex programs; the Go that launches them is package procedure.
#include "procedure_betweenness.cuh"
#include "procedure_cdlp.cuh"
#include "procedure_corners.cuh"
#include "procedure_join.cuh"
#include "procedure_kcore.cuh"
#include "procedure_scc.cuh"
