package driver

import (
	"unsafe"

	"gorgonia.org/cu"
)

// Function is a kernel.
type Function struct {
	function cu.Function
}

// Launch puts the kernel into the stream, on so many blocks of so many threads, with so many bytes of shared
// memory beside what it declares itself. Every parameter of the kernel takes 8 bytes. Launches of no block do nothing.
func (f Function) Launch(s Stream, grid, block, shared int, args ...uint64) error {
	if grid == 0 {
		return nil
	}
	params := make([]unsafe.Pointer, len(args))
	for i := range args {
		params[i] = unsafe.Pointer(&args[i])
	}
	return wrap("cuLaunchKernel", f.function.Launch(grid, 1, 1, block, 1, 1, shared, s.stream, params))
}
