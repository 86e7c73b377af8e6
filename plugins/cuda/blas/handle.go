package blas

// #include "blas.h"
//
// static int create(struct blas *b, void **handle) { return b->create(handle); }
// static int destroy(struct blas *b, void *handle) { return b->destroy(handle); }
// static int set_stream(struct blas *b, void *handle, void *stream) { return b->set_stream(handle, stream); }
// static int set_workspace(struct blas *b, void *handle, unsigned long long at, size_t bytes) {
//     return b->set_workspace(handle, (void *)at, bytes);
// }
// static int multiply(struct blas *b, void *handle, int ta, int tb, int m, int n, int k, unsigned long long x, int xa,
//                     unsigned long long y, int ya, unsigned long long out) {
//     const float one = 1, zero = 0;
//     return b->sgemm(handle, ta, tb, m, n, k, &one, (const float *)x, xa, (const float *)y, ya, &zero,
//         (float *)out, m);
// }
import "C"

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// Handle is what calls of cuBLAS are made with. It belongs to the thread that has the card's context.
type Handle struct {
	library *Library
	handle  unsafe.Pointer
}

// WorkspaceBytes is how much memory of the card Use wants.
const WorkspaceBytes = 4 << 20

// Open makes a handle for the card of the current context.
func (l *Library) Open() (*Handle, error) {
	h := &Handle{library: l}
	return h, failed("cublasCreate", C.create(&l.functions, &h.handle))
}

// Use has what is multiplied from now on put into a stream, with a workspace on the card.
func (h *Handle) Use(s driver.Stream, workspace driver.Pointer) error {
	if err := failed("cublasSetStream", C.set_stream(&h.library.functions, h.handle, s.Address())); err != nil {
		return err
	}
	return failed("cublasSetWorkspace", C.set_workspace(&h.library.functions, h.handle, C.ulonglong(workspace),
		WorkspaceBytes))
}

// Multiply puts x·y of m rows and n columns into the stream, row by row; they share inner. Either may be given
// transposed. It says false, and does nothing, where 31 bits do not count the rows.
func (h *Handle) Multiply(m, n, inner uint64, x driver.Pointer, xTransposed bool, y driver.Pointer, yTransposed bool,
	out driver.Pointer) (bool, error) {
	if max(m, n, inner) > math.MaxInt32 {
		return false, nil
	}
	// Columns by columns, as cuBLAS has matrices, what lies there is transposed: yᵀ·xᵀ is wanted.
	xApart, yApart := inner, n
	if xTransposed {
		xApart = m
	}
	if yTransposed {
		yApart = inner
	}
	return true, failed("cublasSgemm", C.multiply(&h.library.functions, h.handle, truth(yTransposed), truth(xTransposed),
		C.int(n), C.int(m), C.int(inner), C.ulonglong(y), C.int(max(1, yApart)), C.ulonglong(x), C.int(max(1, xApart)),
		C.ulonglong(out)))
}

func truth(is bool) C.int {
	if is {
		return 1
	}
	return 0
}

// Close ends the handle; nothing of it is under way.
func (h *Handle) Close() error {
	return failed("cublasDestroy", C.destroy(&h.library.functions, h.handle))
}

// statuses are what cublas_api.h calls them.
var statuses = map[C.int]string{1: "not initialized", 3: "out of memory", 7: "an invalid value",
	8: "no kernels for this card", 11: "memory cannot be reached", 13: "execution failed", 14: "internal error",
	15: "not supported"}

func failed(call string, status C.int) error {
	if status == 0 {
		return nil
	}
	return fmt.Errorf("%s: %s (status %d)", call, statuses[status], int(status))
}
