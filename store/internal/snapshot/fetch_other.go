//go:build !linux

package snapshot

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// fetch asks the system to have the whole of a mapped value read soon. Reading it
// front to back, page by page, would keep a disk waiting.
func (r *Reader) fetch(value []byte) error {
	page := uintptr(os.Getpagesize())
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(value))) % page)
	if skip < len(value) {
		_ = unix.Madvise(value[skip:], unix.MADV_WILLNEED) // it is but advice
	}
	return nil
}
