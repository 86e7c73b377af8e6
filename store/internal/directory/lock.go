//go:build linux || darwin

package directory

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/store/internal/failure"
	"golang.org/x/sys/unix"
)

// LockFile is under a flock while a database is open: an exclusive one for writing; readers share one. The
// kernel lets go of it when the process dies, however that happens. The file holds the process id of
// the last that had the database open for writing; it is written when the files were proven whole.
const LockFile = "LOCK"

// Lock locks the database at dir; nil: it is open for reading only, and has no such file.
//
// Errors: *failure.LockedError.
func Lock(dir string, readOnly bool) (*os.File, error) {
	flags, kind := os.O_RDWR|os.O_CREATE, unix.LOCK_EX
	if readOnly {
		flags, kind = os.O_RDONLY, unix.LOCK_SH
	}
	f, err := os.OpenFile(filepath.Join(dir, LockFile), flags, 0o644)
	if readOnly && errors.Is(err, fs.ErrNotExist) {
		return nil, nil // a copy of a database, which no process has open for writing
	}
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(f.Fd()), kind|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = &failure.LockedError{Dir: dir, PID: holder(f)}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Unlock lets go of a lock and closes its file. To close it alone would not do: a process that is being started shares
// the open file until its program runs, and would hold the lock for that long.
func Unlock(f *os.File) error {
	return errors.Join(unix.Flock(int(f.Fd()), unix.LOCK_UN), f.Close())
}

// holder is the process that has the database open for writing; 0: it is unknown, or readers hold the lock, and the
// process in the file has long ended.
func holder(f *os.File) int {
	if unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB) == nil {
		return 0
	}
	return readPID(f)
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

// WritePID writes the process id of the caller, which has the lock. It writes before it truncates: on a full disk the
// block may be gone in between.
func WritePID(f *os.File) error {
	text := strconv.Itoa(os.Getpid()) + "\n"
	if _, err := f.WriteAt([]byte(text), 0); err != nil {
		return err
	}
	return f.Truncate(int64(len(text)))
}
