package arena

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// reserve has blocks of the disk stand behind so many bytes of a file: a page of a mapped file for which there is none
// ends the program that writes it. What the disk surely has no room for is refused beforehand, so that it does not
// fill up first.
func reserve(f *os.File, size uint64) error {
	var disk unix.Statfs_t
	if err := unix.Fstatfs(int(f.Fd()), &disk); err != nil {
		return err
	}
	if disk.Bavail < size/uint64(disk.Bsize) {
		return unix.ENOSPC
	}
	err := unix.Fallocate(int(f.Fd()), 0, 0, int64(size))
	if errors.Is(err, unix.EOPNOTSUPP) {
		return zeroes(f, size)
	}
	return err
}
