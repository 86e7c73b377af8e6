package exporter

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/graphtest"
)

var small = &graphtest.Graph{
	NodesDeclared: true,
	Nodes:         []graphtest.Node{{ID: "1"}, {ID: "x"}},
	Edges:         []graphtest.Edge{{Src: "1", Dst: "x"}, {Src: "x", Dst: "x"}},
}

// names lists what is in dir, hidden files too.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestWrite_Files(t *testing.T) {
	for format, want := range map[string][]string{
		"csv": {"nodes.csv", "relationships.csv"}, "parquet": {"nodes.parquet", "relationships.parquet"},
		"arrow": {"nodes.arrow", "relationships.arrow"}, "mtx": {"graph.ids.csv", "graph.mtx"},
	} {
		dir := filepath.Join(t.TempDir(), "a", "b")
		var last [2]int64
		progress := func(done, total int64) { last = [2]int64{done, total} }
		if err := Write(context.Background(), small.Source(memory.DefaultAllocator, 1), format, dir, progress); err != nil {
			t.Fatal(err)
		}
		if got := names(t, dir); !slices.Equal(got, want) {
			t.Errorf("%s: %v", format, got)
		}
		if last != [2]int64{4, -1} {
			t.Errorf("%s: progress ended at %v", format, last)
		}
	}
}

func TestFormats(t *testing.T) {
	if got := fmt.Sprint(Formats()); got != "[arrow csv mtx parquet]" {
		t.Error(got)
	}
	var unknown *UnknownFormatError
	err := Write(context.Background(), small.Source(memory.DefaultAllocator, 1), "xml", t.TempDir(), nil)
	if !errors.As(err, &unknown) || unknown.Name != "xml" {
		t.Errorf("got %v", err)
	}
}

// interrupted is a source that fails, or is canceled, in the midst of its edges.
type interrupted struct {
	formats.Source
	err    error
	cancel func()
}

func (i interrupted) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	return i.Source.Edges(ctx, func(b *formats.EdgeBatch) error {
		if i.cancel != nil {
			i.cancel()
		}
		return errors.Join(yield(b), i.err)
	})
}

func TestWrite_FailureLeavesNothing(t *testing.T) {
	broken := errors.New("broken")
	for _, format := range Formats() {
		dir := filepath.Join(t.TempDir(), "new")
		src := interrupted{Source: small.Source(memory.DefaultAllocator, 1), err: broken}
		if err := Write(context.Background(), src, format, dir, nil); !errors.Is(err, broken) {
			t.Errorf("%s: %v", format, err)
		}
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s left a folder with %v", format, names(t, dir))
		}
		ctx, cancel := context.WithCancel(context.Background())
		dir = t.TempDir()
		src = interrupted{Source: small.Source(memory.DefaultAllocator, 1), cancel: cancel}
		if err := Write(ctx, src, format, dir, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", format, err)
		}
		if got := names(t, dir); got != nil {
			t.Errorf("%s left %v", format, got)
		}
	}
}

func TestWrite_KeepsWhatExists(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "relationships.csv")
	if err := os.WriteFile(old, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	var exists *ExistsError
	err := Write(context.Background(), small.Source(memory.DefaultAllocator, 1), "csv", dir, nil)
	if !errors.As(err, &exists) || exists.File != old {
		t.Errorf("got %v", err)
	}
	if content, _ := os.ReadFile(old); string(content) != "old" || len(names(t, dir)) != 1 {
		t.Errorf("%q, %v", content, names(t, dir))
	}
}

// TestWrite_Overwrite must not leave the nodes of an earlier graph beside the edges of this one.
func TestWrite_Overwrite(t *testing.T) {
	dir := t.TempDir()
	if err := Write(context.Background(), small.Source(memory.DefaultAllocator, 1), "csv", dir, nil); err != nil {
		t.Fatal(err)
	}
	edges := &graphtest.Graph{Edges: []graphtest.Edge{{Src: "1", Dst: "2"}}}
	if err := Write(context.Background(), edges.Source(memory.DefaultAllocator, 1), "csv", dir, nil,
		Overwrite()); err != nil {
		t.Fatal(err)
	}
	content, _ := os.ReadFile(filepath.Join(dir, "relationships.csv"))
	if string(content) != ":START_ID,:END_ID,:TYPE\n1,2,\n" ||
		!slices.Equal(names(t, dir), []string{"relationships.csv"}) {
		t.Errorf("%q, %v", content, names(t, dir))
	}
}
