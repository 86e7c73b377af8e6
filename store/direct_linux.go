package store

import (
	"errors"
	"io"
	"os"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/penstock-db/penstock/internal/pages"
)

// Direct reads are of whole blocks, into memory that begins with one.
const (
	directAlign = 4096
	directBlock = 1 << 20
)

var directBlocks = sync.Pool{New: func() any {
	b := make([]byte, directBlock+directAlign)
	skip := -int(uintptr(unsafe.Pointer(&b[0]))) & (directAlign - 1)
	b = b[skip : skip+directBlock]
	return &b
}}

// readDirect copies a mapped value to dst by reading its file past the system's cache.
// Through the mapping every page would be cached first, and push out others; so would the
// pages around the few that Badger itself looks at. It fails where the value is not mapped
// from a file, or its file system cannot read so.
func readDirect(dst, value []byte) error {
	mapping, err := pages.Find(uintptr(unsafe.Pointer(unsafe.SliceData(value))))
	if err != nil {
		return err
	}
	mapping.ReadSingly()
	file, err := os.OpenFile(mapping.Path, os.O_RDONLY|unix.O_DIRECT, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	start := uintptr(unsafe.Pointer(unsafe.SliceData(value))) - mapping.From
	return readBlocks(dst[:len(value)], file, mapping.Offset+int64(start))
}

// readBlocks fills dst from an offset of a file that gives blocks only.
func readBlocks(dst []byte, file *os.File, offset int64) error {
	block := directBlocks.Get().(*[]byte)
	defer directBlocks.Put(block)
	for len(dst) > 0 {
		skip := int(offset % directAlign)
		n, err := unix.Pread(int(file.Fd()), *block, offset-int64(skip))
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if n <= skip {
			return errors.Join(err, io.ErrUnexpectedEOF)
		}
		n = copy(dst, (*block)[skip:n])
		dst, offset = dst[n:], offset+int64(n)
	}
	return nil
}
