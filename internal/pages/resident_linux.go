package pages

import (
	"bytes"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Resident tells whether all of this memory, of which a file is mapped, is in the system's
// cache. Where the system does not tell, it says so too.
func Resident(b []byte) bool {
	if len(b) == 0 {
		return true
	}
	page := uintptr(os.Getpagesize())
	first := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	from := first &^ (page - 1)
	size := first + uintptr(len(b)) - from
	held := make([]byte, (size+page-1)/page)
	_, _, failed := unix.Syscall(unix.SYS_MINCORE, from, size, uintptr(unsafe.Pointer(unsafe.SliceData(held))))
	return failed != 0 || !bytes.Contains(held, []byte{0})
}
