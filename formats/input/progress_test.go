package input

import (
	"bytes"
	"io"
	"testing"

	"github.com/penstock-db/penstock/formats"
)

// Progress grows up to the sum of the stored sizes of all files.
func TestOpenAll_Progress(t *testing.T) {
	stored := [][]byte{bytes.Repeat([]byte("1 2\n"), 200_000), gzipped(t, bytes.Repeat([]byte("3 4\n"), 1000))}
	paths := []string{write(t, stored[0]), write(t, stored[1])}
	want := int64(len(stored[0]) + len(stored[1]))
	var last int64
	opts := formats.Options{Progress: func(read, total int64) {
		if total != want || read <= last || read > total {
			t.Errorf("%d of %d after %d", read, total, last)
		}
		last = read
	}}
	files, err := OpenAll(paths, opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if _, err := io.Copy(io.Discard, f); err != nil {
			t.Fatal(err)
		}
	}
	if last != want {
		t.Errorf("%d bytes reported of %d", last, want)
	}
	if err := CloseAll(files); err != nil {
		t.Error(err)
	}
}

func TestNewProgress_UnknownTotal(t *testing.T) {
	path := write(t, []byte("1 2\n"))
	if p := NewProgress([]string{path, Stdin}, nil); p.total != 0 {
		t.Errorf("total %d with standard input", p.total)
	}
}

func TestOpenAll_OneMissing(t *testing.T) {
	if files, err := OpenAll([]string{write(t, nil), "no-such-file"}, formats.Options{}); err == nil || files != nil {
		t.Errorf("%v, %v", files, err)
	}
}
