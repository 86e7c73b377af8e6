//go:build unix

package arena

import (
	"errors"
	"fmt"
	"math"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// Open maps the arena that another process has created. The creator must be alive, unless it has handed the arena over
// to this process; the mapping then outlives it. A file shorter than ref says is a *SizeError, for reading
// past its end would kill this process.
func Open(ref Ref) (*Arena, error) {
	if ref.Size == 0 || ref.Size > math.MaxInt {
		return nil, &SizeError{Path: ref.Path, Want: ref.Size}
	}
	defer Forget(ref)
	file, err := open(ref.Path, os.O_RDWR)
	if err != nil {
		return nil, fmt.Errorf("arena: the process that created it may have ended: %w", err)
	}
	defer file.Close() // a mapping needs no open file
	info, err := file.Stat()
	if err == nil && uint64(info.Size()) < ref.Size {
		err = &SizeError{Path: ref.Path, Want: ref.Size, Have: uint64(info.Size())}
	}
	if err != nil {
		return nil, err
	}
	return mapFile(file, ref.Size, func() error { return nil })
}

// mapFile maps size bytes of file, which keeps its name and stays open until release.
func mapFile(file *os.File, size uint64, release func() error) (*Arena, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, release())
	}
	bytes, err := unix.Mmap(int(file.Fd()), 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("arena of %d bytes: mmap: %w", size, err), release())
	}
	unmap := sync.OnceValue(func() error { return errors.Join(unix.Munmap(bytes), release()) })
	return &Arena{ref: Ref{Path: file.Name(), Size: size}, bytes: bytes, file: info, close: unmap}, nil
}

// wholePages rounds size up to what the system maps.
func wholePages(size uint64) (uint64, error) {
	page := uint64(os.Getpagesize())
	if size == 0 || size > math.MaxInt-page {
		return 0, &SizeError{Want: size}
	}
	return (size + page - 1) / page * page, nil
}
