//go:build linux || darwin

package lsm

import (
	"os"
	"runtime/debug"

	"golang.org/x/sys/unix"
)

// mapFile maps a file for reading; nil when it is empty.
func mapFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return nil, err
	}
	return unix.Mmap(int(file.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
}

func unmap(text []byte) {
	if text != nil {
		_ = unix.Munmap(text)
	}
}

// faults makes a fault of a mapped file, as of a disk that fails, a panic that can be recovered from;
// what it returns ends that.
func faults() func() {
	old := debug.SetPanicOnFault(true)
	return func() { debug.SetPanicOnFault(old) }
}
