// Package lower turns the expressions of a vertex program into PTX, the assembly language of NVIDIA's
// driver, which makes machine code of it on whatever card there is.
//
//	CEL, checked ──expression──▶ instructions, each value once ──function──▶ text of four functions
//	                   │                      ▲
//	               operators ── names, constants (what is loaded)
//
// Lower gives the functions that the kernels call for each vertex and each edge:
//
//	penstock_init(program, v)                               sets the state of vertex v
//	penstock_apply(program, v)                              sets it to what follows from acc[v]
//	penstock_process(program, chunk, source, target, edge)  is the message
//	penstock_aggregate(program, k, v)                       is what v adds to the k-th aggregate
//
// Arguments and results are 64 bits: addresses of the structures of kernels/abi.cuh, numbers of vertices
// in the whole graph, the position of an edge in the columns of its chunk. A double is its bits, a bool 0
// or 1. The text has no header; package ptx puts it into that of the kernels, which declare these functions.
//
// A function is one straight line: operators are selected, never branched around, as algorithms/doc.go
// allows. Each value is a register that is set once, and equal parts of the expressions of a function
// are one value, so that nothing is loaded or computed twice, and nothing that is not used. All loads
// come before all stores. The text depends on the program but not on the values of its constants, so
// that the driver's cache knows it again for another source vertex.
//
// Results are those of algorithms' interpreter, bit for bit, NaNs apart: every operation rounds as IEEE
// 754 says and none is contracted. Of exp and log, which PTX has not in double precision, the kernels'
// functions penstock_exp and penstock_log decide the last bits.
package lower
