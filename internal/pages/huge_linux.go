package pages

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePage is what most systems call large: two megabytes.
const hugePage = 2 << 20

// Huge asks for large pages behind b, which nobody has touched yet: that takes one fault
// for each, where small ones take hundreds.
func Huge[T any](b []T) {
	from := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	to := (from + uintptr(cap(b))*unsafe.Sizeof(*new(T))) &^ (hugePage - 1)
	if from = (from + hugePage - 1) &^ (hugePage - 1); from < to {
		_, _, _ = unix.Syscall(unix.SYS_MADVISE, from, to-from, unix.MADV_HUGEPAGE) // it is but advice
	}
}
