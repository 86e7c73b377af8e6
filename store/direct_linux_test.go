package store

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/penstock-db/penstock/formats/chunk"
)

// The last block of a file is read as far as the file goes, and what is not there is an error.
func TestReadBlocks(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	content := make([]byte, 50*directBlock+1234)
	for i := range content {
		content[i] = byte(rand.Uint32())
	}
	must(t, os.WriteFile(name, content, 0o600))
	file, err := os.OpenFile(name, os.O_RDONLY|unix.O_DIRECT, 0)
	if errors.Is(err, unix.EINVAL) {
		t.Skip("this file system has no direct reads")
	}
	must(t, err)
	defer file.Close()
	dst := borrow(51 * directBlock)
	must(t, readBlocks(file, dst, 0, len(content)))
	if !bytes.Equal(dst[:len(content)], content) {
		t.Error("other bytes")
	}
	must(t, readBlocks(file, dst[:2*directBlock], 7*directBlock, 2*directBlock))
	if !bytes.Equal(dst[:2*directBlock], content[7*directBlock:9*directBlock]) {
		t.Error("other bytes in the middle")
	}
	if readBlocks(file, dst, 0, len(content)+1) == nil {
		t.Error("more was read than there is")
	}
}

// A chunk that is no longer where it was is looked for again.
func TestReadChunkUncached_Moved(t *testing.T) {
	_, s := large(t)
	info := s.Chunks(chunk.Out)[0]
	want, got := chunk.Aligned(int(info.Bytes)), borrow(int(info.Bytes)+UncachedRoom)
	n, err := s.ReadChunk(t.Context(), info, nil, want)
	must(t, err)
	read := func() {
		t.Helper()
		k, err := s.ReadChunkUncached(t.Context(), info, nil, got)
		if err != nil || !bytes.Equal(got[:k], want[:n]) {
			t.Fatalf("%d bytes, %v", k, err)
		}
	}
	read()
	if len(s.direct.places) != 1 {
		t.Skip("this file system has no direct reads")
	}
	empty, err := os.Create(filepath.Join(t.TempDir(), "empty"))
	must(t, err)
	defer empty.Close()
	key := directKey{info.piece(), info.Number}
	known := s.direct.places[key]
	s.direct.places[key] = directPlace{file: empty, offset: known.offset, length: known.length}
	read()
	if len(s.direct.places) != 0 {
		t.Error("the wrong place is remembered")
	}
	read()
	if s.direct.places[key] != known {
		t.Errorf("%+v; expected %+v", s.direct.places[key], known)
	}
}
