package graphtest

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/formats"
)

// Write writes a graph's files into an empty folder.
type Write func(ctx context.Context, src formats.Source, dir string, mem memory.Allocator) error

// Open opens the files of one graph.
type Open func(ctx context.Context, paths []string, opts formats.Options) (formats.Source, error)

// RoundTrip checks that what write writes, open reads back as it was, and that neither
// leaks.
func RoundTrip(t *testing.T, write Write, open Open) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		defer mem.AssertSize(t, 0)
		want := Random(rt)
		trip, err := os.MkdirTemp(dir, "trip")
		if err != nil {
			rt.Fatal(err)
		}
		defer os.RemoveAll(trip)
		src := want.Source(mem, rapid.IntRange(1, 5).Draw(rt, "batch"))
		if err := write(context.Background(), src, trip, mem); err != nil {
			rt.Fatal(err)
		}
		got, err := readFolder(trip, open, mem)
		if err != nil {
			rt.Fatal(err)
		}
		if difference := Diff(want, got); difference != "" {
			rt.Fatal(difference)
		}
	})
}

func readFolder(dir string, open Open, mem memory.Allocator) (*Graph, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return nil, err
	}
	src, err := open(context.Background(), paths, formats.Options{Allocator: mem})
	if err != nil {
		return nil, err
	}
	defer src.Close()
	return Collect(context.Background(), src)
}
