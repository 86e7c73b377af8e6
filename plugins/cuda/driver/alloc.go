package driver

// #include <cuda.h>
import "C"

import (
	"fmt"
	"unsafe"

	"gorgonia.org/cu"
)

// Pointer is an address on a card, or 0.
type Pointer uint64

// Alloc takes memory of the card for what comes after it in the stream. It holds anything. Of 0 bytes it is 0.
func (s Stream) Alloc(bytes uint64) (Pointer, error) {
	if bytes == 0 {
		return 0, nil
	}
	var p C.CUdeviceptr
	if s.pools {
		err := failed("cuMemAllocAsync", C.cuMemAllocAsync(&p, C.size_t(bytes), s.c()))
		return Pointer(p), sized(err, bytes)
	}
	err := failed("cuMemAlloc", C.cuMemAlloc(&p, C.size_t(bytes)))
	return Pointer(p), sized(err, bytes)
}

// Free gives it back once what came before in the stream is done.
func (s Stream) Free(p Pointer) error {
	if p == 0 {
		return nil
	}
	if s.pools {
		return failed("cuMemFreeAsync", C.cuMemFreeAsync(C.CUdeviceptr(p), s.c()))
	}
	if err := s.Synchronize(); err != nil {
		return err
	}
	return wrap("cuMemFree", cu.MemFree(cu.DevicePtr(p)))
}

// c is the stream as C has it here: cu's type of it is cu's alone.
func (s Stream) c() C.CUstream { return C.CUstream(unsafe.Pointer(s.stream.C())) }

// AllocManaged takes memory that host and card share, page by page, as the driver moves it. It is never more than
// the card has free, which what the pool keeps is not: more can hang the machine.
func (c *Context) AllocManaged(bytes uint64) (p Pointer, err error) {
	if bytes == 0 {
		return 0, nil
	}
	if err := c.Trim(); err != nil {
		return 0, err
	}
	return p, c.during(func() error {
		free, _, err := cu.MemInfo()
		if err != nil {
			return wrap("cuMemGetInfo", err)
		}
		if bytes > uint64(free) {
			return sized(failed("cuMemAllocManaged", C.CUDA_ERROR_OUT_OF_MEMORY), bytes)
		}
		managed, err := cu.MemAllocManaged(int64(bytes), cu.AttachGlobal)
		p = Pointer(managed)
		return sized(wrap("cuMemAllocManaged", err), bytes)
	})
}

// FreeManaged gives it back.
func (c *Context) FreeManaged(p Pointer) error {
	if p == 0 {
		return nil
	}
	return c.during(func() error { return wrap("cuMemFree", cu.MemFree(cu.DevicePtr(p))) })
}

// sized adds to an error of an allocation how much was asked for.
func sized(err error, bytes uint64) error {
	return telling(err, fmt.Sprintf("asked for %d bytes", bytes))
}
