package driver

// #include <cuda.h>
// #include <stdlib.h>
//
// static CUresult load(CUmodule *module, const char *image, char *log, size_t size) {
//     CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
//     void *values[] = {log, (void *)size};
//     return cuModuleLoadDataEx(module, image, 2, options, values);
// }
import "C"

import (
	"bytes"
	"unsafe"
)

// Module is code on a card.
type Module struct {
	module C.CUmodule
}

// logSize is the most that is kept of what the driver's compiler has to say.
const logSize = 16 << 10

// Load has the driver compile PTX for the current context's card. The driver keeps the result on disk,
// so the next process has it sooner. What its compiler says of mistakes is in the error.
func Load(image string) (*Module, error) {
	ptx := C.CString(image)
	defer C.free(unsafe.Pointer(ptx))
	log, m := make([]byte, logSize), new(Module)
	if err := failed("cuModuleLoadDataEx", C.load(&m.module, ptx, (*C.char)(unsafe.Pointer(&log[0])),
		logSize)); err != nil {
		said, _, _ := bytes.Cut(log, []byte{0})
		return nil, telling(err, string(bytes.TrimSpace(said)))
	}
	return m, nil
}

// Unload forgets the module; nothing of it runs any more.
func (m *Module) Unload() error { return failed("cuModuleUnload", C.cuModuleUnload(m.module)) }

// Function is the kernel of that name.
func (m *Module) Function(name string) (Function, error) {
	named := C.CString(name)
	defer C.free(unsafe.Pointer(named))
	var f Function
	err := failed("cuModuleGetFunction", C.cuModuleGetFunction(&f.function, m.module, named))
	return f, telling(err, name)
}
