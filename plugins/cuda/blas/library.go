// Package blas multiplies matrices by cuBLAS, where the machine has it: the library is loaded when it is first asked
// for, as the driver is, and nothing is linked with it.
//
//	Load   where it lies ──▶ Library: its functions          (library.go)
//	Open   stream, workspace ──▶ Handle ──Multiply──▶ work in the stream    (handle.go)
//
// A product has the same bits in every run on cards of one kind: a handle puts all its work into one stream, with a
// workspace of its own, which is what cuBLAS asks for that. Another version may add up in another order.
package blas

// #cgo LDFLAGS: -ldl
// #include <dlfcn.h>
// #include <stdlib.h>
// #include "blas.h"
//
// static const char *const names[] = {"cublasCreate_v2", "cublasDestroy_v2", "cublasSetStream_v2", "cublasSgemm_v2",
//     "cublasGetProperty", "cublasSetWorkspace_v2"};
//
// // load finds the functions of a library, and tells which is missing; *said is why there is no library.
// static const char *load(struct blas *b, const char *path, const char **said) {
//     *said = 0;
//     void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
//     if (!library) {
//         *said = dlerror();
//         return 0;
//     }
//     void **functions = (void **)b;
//     for (int i = 0; i < 6; i++)
//         if (!(functions[i] = dlsym(library, names[i])))
//             return names[i];
//     return 0;
// }
// static int property(struct blas *b, int which) {
//     int value = 0;
//     return b->property(which, &value) == 0 ? value : 0;
// }
import "C"

import (
	"fmt"
	"os"
	"strings"
	"unsafe"
)

// LibraryVariable names the library, where it is not to be looked for.
const LibraryVariable = "PENSTOCK_LIBCUBLAS"

// Library is cuBLAS.
type Library struct {
	functions C.struct_blas
	Version   string // "12.4"
}

// places are where it is looked for: versions 11 and later have all that is needed.
func places() []string {
	if named := os.Getenv(LibraryVariable); named != "" {
		return []string{named}
	}
	var all []string
	for _, folder := range []string{"", "/usr/local/cuda/lib64/", "/usr/lib/x86_64-linux-gnu/", "/opt/cuda/lib64/"} {
		for _, version := range []string{"13", "12", "11"} {
			all = append(all, folder+"libcublas.so."+version)
		}
	}
	return all
}

// Load loads the library; the error says where it was looked for.
func Load() (*Library, error) {
	var tried []string
	for _, path := range places() {
		l := new(Library)
		name := C.CString(path)
		var said *C.char
		missing := C.load(&l.functions, name, &said)
		C.free(unsafe.Pointer(name))
		switch {
		case said != nil:
			tried = append(tried, C.GoString(said))
		case missing != nil:
			tried = append(tried, fmt.Sprintf("%s has no %s", path, C.GoString(missing)))
		default:
			l.Version = fmt.Sprintf("%d.%d", C.property(&l.functions, 0), C.property(&l.functions, 1))
			return l, nil
		}
	}
	return nil, fmt.Errorf("there is no cuBLAS: install it, or set %s to its library. Tried: %s", LibraryVariable,
		strings.Join(tried, "; "))
}
