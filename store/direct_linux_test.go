package store

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store/internal/buffers"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/snapshot"
)

// openedDirectly opens a file for direct reads, if its file system has any.
func openedDirectly(t *testing.T, path string) *snapshot.DirectFile {
	t.Helper()
	file, err := snapshot.OpenDirect(path)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		t.Skip("the file system of TMPDIR has no direct reads (O_DIRECT): set TMPDIR to a folder of ext4 or XFS")
	}
	must(t, err)
	t.Cleanup(func() { file.Close() })
	return file
}

// The last block of a file is read as far as the file goes, and what is not there is an error.
func TestReadBlocks(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	content := make([]byte, 50*snapshot.DirectBlock+1234)
	r := testseed.Rand(t)
	for i := range content {
		content[i] = byte(r.Uint32())
	}
	must(t, os.WriteFile(name, content, 0o600))
	file := openedDirectly(t, name).File
	dst := snapshot.FromBlock(buffers.Borrow(52 * snapshot.DirectBlock))
	must(t, snapshot.ReadBlocks(file, dst, 0, len(content)))
	if !bytes.Equal(dst[:len(content)], content) {
		t.Error("other bytes")
	}
	must(t, snapshot.ReadBlocks(file, dst[:2*snapshot.DirectBlock], 7*snapshot.DirectBlock, 2*snapshot.DirectBlock))
	if !bytes.Equal(dst[:2*snapshot.DirectBlock], content[7*snapshot.DirectBlock:9*snapshot.DirectBlock]) {
		t.Error("other bytes in the middle")
	}
	if snapshot.ReadBlocks(file, dst, 0, len(content)+1) == nil {
		t.Error("more was read than there is")
	}
}

// Wherever a chunk is to lie in memory, nothing of it passes through the cache.
func TestReadChunkUncached_AnyMemory(t *testing.T) {
	_, s := large(t)
	info := s.Chunks(chunk.Out)[0]
	at, err := s.LocateChunk(t.Context(), info, nil, anything)
	must(t, err)
	openedDirectly(t, at.Path)
	for _, columns := range [][]string{nil, {manifest.TypeColumn, "note", "weight"}} {
		want := chunk.Aligned(int(info.Bytes))
		n, err := s.ReadChunk(t.Context(), info, columns, want)
		must(t, err)
		for _, skip := range []int{0, 64, 512, snapshot.DirectBlock - 64} {
			got := snapshot.FromBlock(chunk.Aligned(int(info.Bytes) + snapshot.UncachedRoom + 2*snapshot.DirectBlock))[skip:]
			k, cached, err := s.ReadChunkUncached(t.Context(), info, columns, got)
			must(t, err)
			if !bytes.Equal(got[:k], want[:n]) {
				t.Errorf("%v, %d bytes behind a block's begin: other bytes", columns, skip)
			}
			if cached != nil {
				t.Errorf("%v, %d bytes behind a block's begin: read through the cache: %v", columns, skip, cached)
			}
		}
	}
}

// What could not be read past the cache is read through it, and why is told.
func TestReadChunkUncached_TellsWhyNot(t *testing.T) {
	_, s := large(t)
	info := s.Chunks(chunk.Out)[0]
	got := chunk.Aligned(int(info.Bytes) + snapshot.UncachedRoom)
	_, cached, err := s.ReadChunkUncached(t.Context(), info, nil, got)
	must(t, err)
	if cached != nil {
		t.Skip("the file system of TMPDIR has no direct reads (O_DIRECT): set TMPDIR to a folder of ext4 or XFS: ", cached)
	}
	known := s.Direct.Places[snapshot.DirectKey{Piece: info.Piece(), Number: info.Number}].File
	known.Close()
	if _, cached, err := s.ReadChunkUncached(t.Context(), info, nil, got); err != nil || !errors.Is(cached, unix.EBADF) {
		t.Errorf("of a file that was closed: %v, %v; expected EBADF, and no error", cached, err)
	}
}

// A chunk that is no longer where it was is looked for again.
func TestReadChunkUncached_Moved(t *testing.T) {
	_, s := large(t)
	info := s.Chunks(chunk.Out)[0]
	want, got := chunk.Aligned(int(info.Bytes)), buffers.Borrow(int(info.Bytes)+snapshot.UncachedRoom)
	n, err := s.ReadChunk(t.Context(), info, nil, want)
	must(t, err)
	read := func() {
		t.Helper()
		k, _, err := s.ReadChunkUncached(t.Context(), info, nil, got)
		if err != nil || !bytes.Equal(got[:k], want[:n]) {
			t.Fatalf("%d bytes, %v", k, err)
		}
	}
	read()
	if len(s.Direct.Places) != 1 {
		t.Skip("the file system of TMPDIR has no direct reads (O_DIRECT): set TMPDIR to a folder of ext4 or XFS")
	}
	empty, err := os.Create(filepath.Join(t.TempDir(), "empty"))
	must(t, err)
	defer empty.Close()
	key := snapshot.DirectKey{Piece: info.Piece(), Number: info.Number}
	known := s.Direct.Places[key]
	s.Direct.Places[key] = snapshot.DirectPlace{File: &snapshot.DirectFile{File: empty, Align: 1}, Offset: known.Offset,
		Length: known.Length}
	read()
	if len(s.Direct.Places) != 0 {
		t.Error("the wrong place is remembered")
	}
	read()
	if s.Direct.Places[key] != known {
		t.Errorf("%+v; expected %+v", s.Direct.Places[key], known)
	}
}
