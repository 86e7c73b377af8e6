//go:build linux || darwin

package space

import (
	"errors"

	"github.com/penstock-db/penstock/store/internal/failure"
	"golang.org/x/sys/unix"
)

const (
	// OpenReserve is what Badger may need to open: Go cannot recover from the SIGBUS
	// that a store to a mapped file without a disk block behind it raises.
	OpenReserve = 4 << 20
	// WriteReserve is what a write leaves free: the log of a memtable, a few tables
	// being compacted, and what Open needs.
	WriteReserve = 48 << 20
)

// Check fails unless the file system of dir has need bytes free.
func Check(dir string, need uint64) error {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return err
	}
	if free := fs.Bavail * uint64(fs.Bsize); free < need {
		return &failure.DiskFullError{Dir: dir, Free: free, Need: need}
	}
	return nil
}

// DiskFull turns the system's "no space left", met while writing in dir, into a *DiskFullError.
func DiskFull(dir string, err error) error {
	if !errors.Is(err, unix.ENOSPC) && !errors.Is(err, unix.EDQUOT) {
		return err
	}
	var fs unix.Statfs_t
	if statErr := unix.Statfs(dir, &fs); statErr != nil {
		return err
	}
	free := fs.Bavail * uint64(fs.Bsize)
	return &failure.DiskFullError{Dir: dir, Free: free, Need: free + 1}
}
