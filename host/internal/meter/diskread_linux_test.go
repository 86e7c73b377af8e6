package meter_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"unsafe"

	"github.com/penstock-db/penstock/host/internal/meter"
)

// What comes from the disk is counted, and what comes from the system's cache is not.
func TestDiskReads(t *testing.T) {
	const size = 1 << 20
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, make([]byte, size), 0o600); err != nil {
		t.Fatal(err)
	}
	read := func(flags int, into []byte) *uint64 {
		before := meter.ReadsOf(os.Getpid())
		file, err := os.OpenFile(path, os.O_RDONLY|flags, 0)
		if err != nil {
			unread(t, err)
		}
		defer file.Close()
		if n, err := file.Read(into); n != size {
			unread(t, err)
		}
		return before.Since()
	}
	if cached := read(0, make([]byte, size)); cached == nil || *cached >= size {
		t.Errorf("%v bytes came from the disk, of a file that has just been written", cached)
	}
	room := make([]byte, size+4096)
	aligned := room[4096-uintptr(unsafe.Pointer(&room[0]))%4096:][:size]
	if past := read(syscall.O_DIRECT, aligned); past == nil || *past < size {
		t.Errorf("%v bytes came from the disk, of %d that were read past the cache", past, size)
	}
}

// A process that is not there has read nothing that anybody could tell.
func TestDiskReads_Unknown(t *testing.T) {
	if read := meter.ReadsOf(os.Getpid(), 1<<30).Since(); read != nil {
		t.Error(*read)
	}
}

// unread skips a test whose file system does not read past its cache, and fails it for any other reason.
func unread(t *testing.T, err error) {
	t.Helper()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.EOPNOTSUPP) {
		t.Skip("the file system of TMPDIR has no reads past its cache: set TMPDIR to a folder of ext4 or XFS: ", err)
	}
	t.Fatal("the file is not read: ", err)
}
