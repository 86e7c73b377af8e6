//go:build unix

package durable

import (
	"io/fs"
	"os"
	"syscall"
)

// Exclusive waits until no other process holds the file, and holds it, until release or the end of this process.
func Exclusive(path string, mode fs.FileMode) (release func() error, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, mode)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		f.Close()
		return nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return f.Close, nil
}
