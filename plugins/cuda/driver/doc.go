// Package driver is the part of NVIDIA's driver interface that the CUDA plugin uses: gorgonia.org/cu's functions
// where it has them, with errors that say what was called and what the driver says of it, and beside them
// what cu lacks.
//
//	Status ──▶ Cards ──▶ Open ──▶ Context.Use, on a locked OS thread ──▶ everything else
//
//	Stream    Alloc · CopyIn, CopyOut, Copy, Fill · Function.Launch · Free      in order, asynchronous
//	Event     Record on one stream ──▶ Wait on another; Since, the time between two
//	Register, AllocPinned   host memory that is copied while kernels run
//	Load      PTX ──the driver's compiler──▶ Module ──▶ Function
//
// The driver keeps for each OS thread which context is current, and functions here are about that one: a goroutine
// calls runtime.LockOSThread, then Context.Use, and then whatever it likes. cu's Ctx and
// BatchedContext, which would do this by a goroutine of their own, are not used: they lose errors.
//
// The program is linked with shim/, not with the driver's library, so that it starts where there is none. The
// library is $PENSTOCK_LIBCUDA, else libcuda.so.1, and is loaded when it is first needed.
//
// Sizes are bytes.
package driver
