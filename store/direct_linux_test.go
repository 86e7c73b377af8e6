package store

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// Any part of a mapped file is read as it is, also where the file system can only be asked
// for blocks, and the end is in the middle of one.
func TestReadDirect(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	content := make([]byte, 2*directBlock+1234)
	for i := range content {
		content[i] = byte(rand.Uint32())
	}
	must(t, os.WriteFile(name, content, 0o600))
	file, err := os.Open(name)
	must(t, err)
	defer file.Close()
	mapped, err := unix.Mmap(int(file.Fd()), 0, len(content), unix.PROT_READ, unix.MAP_SHARED)
	must(t, err)
	defer func() { must(t, unix.Munmap(mapped)) }()
	for range 50 {
		from := rand.IntN(len(content))
		to := from + rand.IntN(len(content)-from+1)
		if from == to {
			continue
		}
		dst := make([]byte, to-from)
		err := readDirect(dst, mapped[from:to])
		if errors.Is(err, unix.EINVAL) {
			t.Skip("this file system has no direct reads")
		}
		if err != nil || !bytes.Equal(dst, content[from:to]) {
			t.Fatalf("bytes %d to %d: %v", from, to, err)
		}
	}
	if readDirect(make([]byte, 10), make([]byte, 10)) == nil {
		t.Error("memory of no file was read from one")
	}
}
