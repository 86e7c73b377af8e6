// Package kernels is the code that runs on the card, in CUDA C, and the Go that launches it.
//
//	template.cu   what programs run by: vertex.cu, push.cu, pull.cu, exponential.cu          Template
//	plain.cu      chunks checked and converted, bitmaps, prefix sums                         Plain
//	procedure.cu  procedures that are no programs; package procedure launches them           Procedures
//	solve.cu      whole runs by algorithms of their own; package solve launches them         Solve
//	network.cu    neural networks; package internal/network launches them                    Networks
//
// clang makes PTX of each, which is committed (ptx.sh), and the driver makes code for its card of that. abi.cuh and
// abi.go have the structures that both sides know. Headers hold one idea each: block.cuh and bitmap.cuh what the
// threads of a block do together, number.cuh and keys.cuh what values are, tile.cuh, batch.cuh and scratch.cuh how
// edges are shared out.
//
// # A program
//
// LoadTemplate takes the kernels that a program needs out of template.ptx, and puts its lowered functions (package
// lower) where they are called (package ptx). An iteration then is, all in one stream, without the host:
//
//	Prepare   state ──▶ aggregates; messages, where rows receive              once
//	Step      active rows ──edges──▶ accumulators                             for each chunk, or many at once
//	Apply     accumulators ──▶ state, active bitmap, counters                 once
//
// Min, Max, And and Or push: rows send, and lower their targets' keys (keys.cuh) by an atomic minimum, after a look at
// what is there. Sum and Prod pull: rows receive, in an order that goes by the row's length alone, so that a sum has
// the same bits on every card and in every run. Sums over vertices are those of at most 1024 blocks, put together in
// order.
//
// What a message takes from its source alone is computed once a vertex, and only what the edge adds once an edge: the
// forms of message.cuh, which form.go recognizes, are all that the programs of algorithms have. For another Process
// there are kernels that evaluate it along each edge.
//
// Rows differ in length by orders of magnitude. The threads of a block share out the edges of 256 rows, whoever's they
// are (tile.cuh), or go along rows side by side; those of 256 edges and more are seen to by warps and blocks of a
// kernel of their own: where vertices are numbered by degree, long rows are next to one another, in few tiles.
//
// # Memory
//
// Beside chunks, state and accumulators there is one Scratch, of 17 KB and a byte for 16 edges that a launch goes
// along, and, where rows receive messages that are no column of their source, 8 bytes a vertex (Messages).
package kernels
