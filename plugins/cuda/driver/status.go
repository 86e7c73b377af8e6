package driver

/*
#cgo CFLAGS: -I${SRCDIR}/../shim
#cgo LDFLAGS: -lcuda -ldl
#include <cuda.h>
#include "shim.h"
*/
import "C"

import "fmt"

// LibraryVariable names the driver's library, where it is not to be looked for.
const LibraryVariable = "PENSTOCK_LIBCUDA"

// Status loads the driver, if that has not been tried, and tells whether there is one: nil, or an
// *Error with what was tried and what can be done.
func Status() error {
	var tried *C.char
	code := C.CUresult(C.penstock_libcuda(&tried))
	if code == C.CUDA_SUCCESS {
		return nil
	}
	if code == C.CUDA_ERROR_SHARED_OBJECT_INIT_FAILED {
		return &Error{Call: "libcuda.so.1", Code: int(code), Name: "CUDA_ERROR_SHARED_OBJECT_INIT_FAILED",
			Text: fmt.Sprintf("no NVIDIA driver was found: install one, or set %s to its library, libcuda.so.1. Tried: %s",
				LibraryVariable, C.GoString(tried))}
	}
	return telling(failed("cuInit", code), "see whether nvidia-smi works (library "+C.GoString(tried)+")")
}
