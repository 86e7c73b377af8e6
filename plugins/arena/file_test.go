package arena_test

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/penstock-db/penstock/plugins/arena"
)

func someFile(t *testing.T, size int) (path string, content []byte) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	for range size {
		content = append(content, byte(r.Uint32()))
	}
	path = filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path, content
}

// Any range of a file is there, and what others write to it appears.
func TestFile_SharesRanges(t *testing.T) {
	a := create(t, 1)
	path, content := someFile(t, 50_000)
	for _, r := range []arena.Range{{Offset: 0, Length: 50_000}, {Offset: 4097, Length: 1}, {Offset: 49_999, Length: 1},
		{Offset: 33, Length: 9000}} {
		got, err := a.File(path, r)
		if err != nil || !bytes.Equal(got, content[r.Offset:r.End()]) {
			t.Errorf("%+v: %d bytes, %v", r, len(got), err)
		}
	}
	got, err := a.File(path, arena.Range{Offset: 100, Length: 10})
	if err != nil {
		t.Fatal(err)
	}
	content[105] ^= 1
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if got[5] != content[105] {
		t.Error("the range is a copy")
	}
}

func TestFile_Refuses(t *testing.T) {
	a := create(t, 1)
	path, _ := someFile(t, 5000)
	for _, r := range []arena.Range{{}, {Offset: 5000, Length: 1}, {Offset: 1, Length: 5000},
		{Offset: math.MaxUint64, Length: 2}, {Offset: 2, Length: math.MaxUint64}} {
		var bad *arena.RangeError
		if _, err := a.File(path, r); !errors.As(err, &bad) || bad.File != path || bad.Size != 5000 {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if _, err := a.File(path+".missing", arena.Range{Length: 1}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// A file that has grown, or whose name another has taken, is mapped anew; what was given
// out before stays as it was.
func TestFile_GrowsAndIsReplaced(t *testing.T) {
	a := create(t, 1)
	path, content := someFile(t, 5000)
	old, err := a.File(path, arena.Range{Length: 5000})
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.Write(content); err != nil {
		t.Fatal(err)
	}
	if grown, err := a.File(path, arena.Range{Offset: 5000, Length: 5000}); err != nil || !bytes.Equal(grown, content) {
		t.Errorf("%d bytes, %v", len(grown), err)
	}
	if err := os.WriteFile(path+".new", []byte("another"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	if another, err := a.File(path, arena.Range{Length: 7}); err != nil || string(another) != "another" {
		t.Errorf("%q, %v", another, err)
	}
	if !bytes.Equal(old, content) {
		t.Error("the range of the old file has changed")
	}
	if err := errors.Join(a.Close(), a.Close()); err != nil {
		t.Error(err)
	}
}
