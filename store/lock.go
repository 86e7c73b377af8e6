//go:build linux || darwin

package store

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// lockFile is held under a flock while a database is open, and holds the process id of who has it open for writing, from when its files were proven whole:
// the lock is exclusive then; readers share it. The kernel lets go of it when the process dies, however
// that happens.
const lockFile = "LOCK"

func lock(dir string, readOnly bool) (*os.File, error) {
	flags, kind := os.O_RDWR|os.O_CREATE, unix.LOCK_EX
	if readOnly {
		flags, kind = os.O_RDONLY, unix.LOCK_SH
	}
	f, err := os.OpenFile(filepath.Join(dir, lockFile), flags, 0o644)
	if readOnly && errors.Is(err, fs.ErrNotExist) {
		return nil, nil // a copy without it, which nobody has open
	}
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(f.Fd()), kind|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = &LockedError{Dir: dir, PID: readPID(f)}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func readPID(f *os.File) int {
	text, err := io.ReadAll(io.LimitReader(f, 32))
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0
	}
	return pid
}

// writePID writes before it truncates: on a full disk the block may be gone in between.
func writePID(f *os.File) error {
	text := strconv.Itoa(os.Getpid()) + "\n"
	if _, err := f.WriteAt([]byte(text), 0); err != nil {
		return err
	}
	return f.Truncate(int64(len(text)))
}
