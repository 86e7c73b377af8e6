//go:build linux || darwin

package space

import (
	"errors"
	"io"
	"sync"

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

// Check fails unless the file system of dir has need bytes free, beside what is reserved.
func Check(dir string, need uint64) error {
	reserved.mu.Lock()
	defer reserved.mu.Unlock()
	_, err := reserved.check(dir, need)
	return err
}

// reserved is what writes on their way may still take of each file system, so that of several at a time
// each finds what it was promised.
var reserved = reservations{bytes: map[unix.Fsid]uint64{}}

type reservations struct {
	mu    sync.Mutex // protects bytes
	bytes map[unix.Fsid]uint64
}

// check is Check for a caller that holds mu.
func (r *reservations) check(dir string, need uint64) (disk unix.Fsid, err error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return disk, err
	}
	need += r.bytes[fs.Fsid]
	if free := fs.Bavail * uint64(fs.Bsize); free < need {
		return disk, &failure.DiskFullError{Dir: dir, Free: free, Need: need}
	}
	return fs.Fsid, nil
}

// Reserve reserves bytes for a write, and leaves WriteReserve free, until release is called.
func Reserve(dir string, bytes uint64) (release func(), err error) {
	reserved.mu.Lock()
	defer reserved.mu.Unlock()
	disk, err := reserved.check(dir, bytes+WriteReserve)
	if err != nil {
		return nil, err
	}
	reserved.bytes[disk] += bytes
	return func() {
		reserved.mu.Lock()
		defer reserved.mu.Unlock()
		if reserved.bytes[disk] -= bytes; reserved.bytes[disk] == 0 {
			delete(reserved.bytes, disk)
		}
	}, nil
}

// LeaveRoom writes to a file in dir as long as the disk has room beside that which open databases need: a store to a
// mapped file without a disk block behind it ends the process.
//
// Errors of Write: *failure.DiskFullError.
func LeaveRoom(dir string, to io.Writer) io.Writer { return roomLeaver{dir, to} }

type roomLeaver struct {
	dir string
	to  io.Writer
}

func (l roomLeaver) Write(p []byte) (int, error) {
	release, err := Reserve(l.dir, uint64(len(p)))
	if err != nil {
		return 0, err
	}
	defer release()
	n, err := l.to.Write(p)
	return n, DiskFull(l.dir, err)
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
