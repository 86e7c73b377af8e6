// Package softcuda builds a test double of NVIDIA's driver: a libcuda.so.1 with which everything in this module
// runs on a machine that has no card. What runs on it is tested, and nothing that it says is a result or a time.
//
//	src/*.cpp      the driver: contexts, memory, streams, events, modules                  ─┐
//	kernels/X.cu   for each X.ptx that is committed, through src/grid.h instead of clang's  ├─ g++ ─▶ libcuda.so.1
//	extra sources  of the test's own                                                       ─┘
//
// A module is loaded from PTX as ever. It says which kernels there are and what they take; their code is that of
// g++. The functions that a program is lowered to (package lower) are interpreted out of the text (src/function.h),
// with an error for any instruction that is not known.
//
// The library is kept in the user's cache, by all that went into it; `go run ./cmd/softcuda` prints its path.
//
// It is stricter than a card: threads that wait for ever, a lane that is waited for and has returned, memory that is
// touched and was not allocated, or written behind an allocation's end, are errors, with a line on standard error that
// names the kernel; so is memory of cuMemAllocAsync's that is touched before the stream has come to that, and a copy of
// which only a part is pinned. Fresh memory is not zero. Streams are threads: what one may not read before another has
// written it needs an event, here as there. A query of an event or a stream that has nothing to tell yet returns after
// 200 µs, so that one who asks again and again leaves the streams' threads a processor.
//
// It has no arrays, textures, graphs and dynamic shared memory, and no contexts but primary ones. What a card's code
// may reach of another card's memory is not looked at: one address space has all.
//
// # What tests tell it
//
// By variables of the environment, at any time:
//
//	SOFTCUDA_VERSION  the driver's (12020), and SOFTCUDA_CAPABILITY the cards' (7): only the major one
//	SOFTCUDA_CARDS   how many cards there are (1)
//	SOFTCUDA_MEMORY  bytes of each (1 GiB); a card changes its size while nobody has a context on it
//	SOFTCUDA_POOLS   0: memory cannot be allocated in the order of a stream
//	SOFTCUDA_PAGEABLE  0: copies of memory that is not pinned are refused
//	SOFTCUDA_PEERS   0: cards cannot reach each other
//	SOFTCUDA_SHARED  a file by which several processes share the memory of cards
//	SOFTCUDA_DELAY   microseconds that a stream made from then on waits, at most, before each thing it does; SOFTCUDA_SEED seeds it
//	SOFTCUDA_FAULT   what is to go wrong: oom@N, sticky@N, hang@N, register, nodevice, init=CODE (src/fault.h)
//
// Blas builds a test double of cuBLAS, which multiplies on the processor (blas/cublas.cpp):
//
//	SOFTCUDA_BLAS_FAIL  its N-th product fails; 0: there is no handle
package softcuda
