package store

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/directory"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/snapshot"
)

// largeModel has chunks that go to the value log, whose edges have a number and a text.
func largeModel() *model {
	m := weighted()
	for i := range 30_000 {
		m.edges = append(m.edges, modelEdge{src: "7", dst: []string{"1", "2", "3"}[i%3], props: []string{"x", "1.5"}})
	}
	return m
}

func large(t *testing.T) (*DB, *snapshot.Snapshot) {
	t.Helper()
	db := testDB(t)
	_, err := db.Load(t.Context(), "g", largeModel(), load.Options{})
	must(t, err)
	s, err := db.Snapshot("g")
	must(t, err)
	t.Cleanup(s.Close)
	return db, s
}

func anything(*chunk.Chunk) bool { return true }

// What lies at the place is the chunk, from which the columns can be taken.
func TestLocateChunk_IsWhatReadChunkReads(t *testing.T) {
	_, s := large(t)
	for _, columns := range [][]string{nil, {"weight"}, {manifest.TypeColumn, "note", "weight"}} {
		for _, info := range s.Chunks(chunk.Out) {
			shown := 0
			at, err := s.LocateChunk(t.Context(), info, columns, func(c *chunk.Chunk) bool {
				shown = len(c.Columns())
				return true
			})
			must(t, err)
			if shown != len(columns) || at.Length != info.Bytes {
				t.Errorf("%d of %d columns, %d of %d bytes", shown, len(columns), at.Length, info.Bytes)
			}
			stored := readAt(t, at)
			want, got := chunk.Aligned(int(info.Bytes)), chunk.Aligned(int(info.Bytes))
			n, err := s.ReadChunk(t.Context(), info, columns, want)
			must(t, err)
			_, err = chunk.Transcribe(got, stored, info.Check, columns...)
			must(t, err)
			if !bytes.Equal(got[:n], want[:n]) {
				t.Errorf("%v: another chunk", columns)
			}
		}
	}
}

func readAt(t *testing.T, at snapshot.Place) []byte {
	t.Helper()
	file, err := os.Open(at.Path)
	must(t, err)
	defer file.Close()
	b := make([]byte, at.Length)
	_, err = file.ReadAt(b, at.Offset)
	must(t, err)
	return b
}

// Small values are in no value log; what does not fit is the caller's to read otherwise.
func TestLocateChunk_Unsupported(t *testing.T) {
	db, s := large(t)
	info := s.Chunks(chunk.Out)[0]
	_, err := s.LocateChunk(t.Context(), info, nil, func(*chunk.Chunk) bool { return false })
	if !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
	_, err = db.Load(t.Context(), "small", weighted(), load.Options{})
	must(t, err)
	small, err := db.Snapshot("small")
	must(t, err)
	defer small.Close()
	if _, err := small.LocateChunk(t.Context(), small.Chunks(chunk.Out)[0], nil, anything); !errors.Is(err,
		errors.ErrUnsupported) {
		t.Error(err)
	}
	var unknown *failure.UnknownPropertyError
	if _, err := s.LocateChunk(t.Context(), info, []string{"no"}, anything); !errors.As(err, &unknown) {
		t.Error(err)
	}
}

// Every byte that is asked for is checked, and the others are not looked at.
func TestLocateChunk_Damaged(t *testing.T) {
	_, s := large(t)
	info := s.Chunks(chunk.Out)[0]
	at, err := s.LocateChunk(t.Context(), info, nil, anything)
	must(t, err)
	file, err := os.OpenFile(at.Path, os.O_RDWR, 0)
	must(t, err)
	defer file.Close()
	byteAt := at.Offset + at.Length - 4096 // of the weights, which come last
	var b [1]byte
	_, err = file.ReadAt(b[:], byteAt)
	must(t, err)
	_, err = file.WriteAt([]byte{^b[0]}, byteAt)
	must(t, err)
	if _, err := s.LocateChunk(t.Context(), info, nil, anything); err != nil {
		t.Error(err)
	}
	var damaged *failure.DamagedError
	if _, err := s.LocateChunk(t.Context(), info, []string{"weight"}, anything); !errors.As(err, &damaged) {
		t.Error(err)
	}
}

func logSizes(t *testing.T, db *DB) (sizes map[string]int64) {
	t.Helper()
	sizes = map[string]int64{}
	logs, err := filepath.Glob(filepath.Join(db.dir, directory.DataDir, "*.vlog"))
	must(t, err)
	for _, path := range logs {
		info, err := os.Stat(path)
		must(t, err)
		sizes[path] = info.Size()
	}
	return sizes
}

// While somebody reads in the files, dropping the graph and collecting leaves them as long
// as they are; the last one gives their space back, and until then nobody new comes in.
func TestKeepFiles_PutsCollectionOff(t *testing.T) {
	dir := scratch(t)
	db, err := Open(dir, Options{Create: true})
	must(t, err)
	_, err = db.Load(t.Context(), "g", largeModel(), load.Options{})
	must(t, err)
	must(t, db.Close())
	db, err = Open(dir, Options{}) // the graph's log is not the one written to any more
	must(t, err)
	defer db.Close()
	s, err := db.Snapshot("g")
	must(t, err)
	one, two := s.KeepFiles(), s.KeepFiles()
	at, err := s.LocateChunk(t.Context(), s.Chunks(chunk.Out)[0], nil, anything)
	must(t, err)
	s.Close()

	must(t, db.Drop(t.Context(), "g"))
	must(t, db.CollectGarbage(t.Context()))
	if size := logSizes(t, db)[at.Path]; size < at.Offset+at.Length {
		t.Fatalf("the file has %d bytes", size)
	}
	if !one.Wanted() {
		t.Error("nothing waits")
	}
	_, err = db.Load(t.Context(), "h", weighted(), load.Options{})
	must(t, err)
	other, err := db.Snapshot("h")
	must(t, err)
	defer other.Close()
	if other.KeepFiles() != nil {
		t.Error("somebody new came in")
	}
	one.Release()
	one.Release() // counts once
	if _, there := logSizes(t, db)[at.Path]; !there {
		t.Error("collected before the last one left")
	}
	two.Release()
	if _, there := logSizes(t, db)[at.Path]; there {
		t.Error("the file is still there")
	}
	if again := other.KeepFiles(); again == nil || again.Wanted() {
		t.Error("nobody comes in any more")
	} else {
		again.Release()
	}
}

// A database may be closed before the files are released.
func TestKeepFiles_ClosedBefore(t *testing.T) {
	db, err := Open(scratch(t), Options{Create: true})
	must(t, err)
	_, err = db.Load(t.Context(), "g", weighted(), load.Options{})
	must(t, err)
	s, err := db.Snapshot("g")
	must(t, err)
	kept := s.KeepFiles()
	s.Close()
	must(t, db.Drop(t.Context(), "g"))
	must(t, db.Close())
	kept.Release()
}
