//go:build unix

package pages

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// WillNeed asks the system to read all of this memory, of which a file is mapped, soon, and nothing around it. A page
// that is touched first brings megabytes around it on some systems, or only itself after Mapping.ReadSingly.
func WillNeed(b []byte) {
	if len(b) == 0 {
		return
	}
	page := uintptr(os.Getpagesize())
	first := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	from := first &^ (page - 1)
	_, _, _ = unix.Syscall(unix.SYS_MADVISE, from, first+uintptr(len(b))-from, unix.MADV_WILLNEED) // it is but advice
}
