package driver

// #include <cuda.h>
//
// static CUresult launch(CUfunction f, unsigned grid, unsigned block, unsigned shared, CUstream stream,
//                        unsigned long long *args, int count) {
//     void *params[count + 1];
//     for (int i = 0; i < count; i++)
//         params[i] = &args[i];
//     return cuLaunchKernel(f, grid, 1, 1, block, 1, 1, shared, stream, params, 0);
// }
import "C"

import "unsafe"

// Function is a kernel. cu has that, too, but its Launch writes pointers of Go's into C's memory as it comes, and
// the collector, which looks at what they replace, dies of addresses that lay there before.
type Function struct {
	function C.CUfunction
}

// Launch puts the kernel into the stream, on so many blocks of so many threads, with so many bytes of shared
// memory beside what it declares itself. Every parameter of the kernel takes 8 bytes. Launches of no block do nothing.
func (f Function) Launch(s Stream, grid, block, shared int, args ...uint64) error {
	if grid == 0 {
		return nil
	}
	return failed("cuLaunchKernel", C.launch(f.function, C.uint(grid), C.uint(block), C.uint(shared), s.c(),
		(*C.ulonglong)(unsafe.Pointer(unsafe.SliceData(args))), C.int(len(args))))
}
