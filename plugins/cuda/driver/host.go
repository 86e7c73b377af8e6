package driver

// #include <cuda.h>
import "C"

import (
	"unsafe"

	"gorgonia.org/cu"
)

// Register pins memory of the host, so that copies of it overlap with kernels of any context, and kernels read it.
// Systems may refuse that, of shared mappings above all: copies work without it, too. The memory is not Go's.
func Register(memory []byte) error {
	if len(memory) == 0 {
		return nil
	}
	return failed("cuMemHostRegister",
		C.cuMemHostRegister(unsafe.Pointer(&memory[0]), C.size_t(len(memory)), C.CU_MEMHOSTREGISTER_PORTABLE|
			C.CU_MEMHOSTREGISTER_DEVICEMAP))
}

// Unregister unpins what Register has pinned.
func Unregister(memory []byte) error {
	if len(memory) == 0 {
		return nil
	}
	return failed("cuMemHostUnregister", C.cuMemHostUnregister(unsafe.Pointer(&memory[0])))
}

// AllocPinned takes pinned memory of the host.
func AllocPinned(bytes uint64) ([]byte, error) {
	if bytes == 0 {
		return nil, nil
	}
	var p unsafe.Pointer
	if err := failed("cuMemAllocHost", C.cuMemAllocHost(&p, C.size_t(bytes))); err != nil {
		return nil, sized(err, bytes)
	}
	return unsafe.Slice((*byte)(p), bytes), nil
}

// FreePinned gives back what AllocPinned has taken.
func FreePinned(memory []byte) error {
	if len(memory) == 0 {
		return nil
	}
	return wrap("cuMemFreeHost", cu.MemFreeHost(unsafe.Pointer(&memory[0])))
}
