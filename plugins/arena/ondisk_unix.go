//go:build unix

package arena

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// CreateOnDisk maps a fresh, zeroed region of at least size bytes, rounded up to whole pages, that a file in dir backs;
// an empty dir is the system's for temporary files. So it may be larger than the memory: the system writes pages that
// it has no room for to the file. The file has no name any more when CreateOnDisk returns, and is gone with the arena.
// The disk has room for all of it then; else the error is ENOSPC. A page that is touched is read alone: systems that
// read megabytes around it push out more than they bring.
func CreateOnDisk(dir string, size uint64) (*Arena, error) {
	size, err := wholePages(size)
	if err != nil {
		return nil, err
	}
	file, err := os.CreateTemp(dir, "penstock-state-*") // mode 0600
	if err != nil {
		return nil, fmt.Errorf("arena of %d bytes: %w", size, err)
	}
	err = os.Remove(file.Name())
	if err == nil {
		err = reserve(file, size)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("arena of %d bytes: %w", size, err), file.Close())
	}
	a, err := mapFile(file, size, file.Close)
	if err == nil {
		_ = unix.Madvise(a.bytes, unix.MADV_RANDOM) // it is but advice
	}
	return a, err
}

// zeroes writes so many to a file.
func zeroes(f *os.File, size uint64) error {
	block := make([]byte, min(size, 1<<20))
	for size > 0 {
		n, err := f.Write(block[:min(size, uint64(len(block)))])
		if err != nil {
			return err
		}
		size -= uint64(n)
	}
	return nil
}
