package packed

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// errMemory says that a folder's files would take what there is too little of.
var errMemory = errors.New("they are in memory")

// passCache has the system neither cache what is read of a file nor what is written to it.
func passCache(f *os.File) error {
	var about unix.Statfs_t
	if err := unix.Fstatfs(int(f.Fd()), &about); err != nil {
		return err
	}
	if about.Type == unix.TMPFS_MAGIC || about.Type == unix.RAMFS_MAGIC {
		return errMemory
	}
	flags, err := unix.FcntlInt(f.Fd(), unix.F_GETFL, 0)
	if err == nil {
		_, err = unix.FcntlInt(f.Fd(), unix.F_SETFL, flags|unix.O_DIRECT)
	}
	return err
}

// hasRoom tells whether the disk has room for so many bytes more of a file, and so many are left.
func hasRoom(f *os.File, bytes, left uint64) error {
	var disk unix.Statfs_t
	if err := unix.Fstatfs(int(f.Fd()), &disk); err != nil {
		return err
	}
	if free := disk.Bavail * uint64(disk.Bsize); free < bytes+left {
		return fmt.Errorf("the disk of %s has %d bytes free, of which %d are left to others: %w", os.TempDir(), free,
			left, unix.ENOSPC)
	}
	return nil
}
