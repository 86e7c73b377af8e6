package csv

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/input"
)

// sharedData is the folder of published graphs beside the repository; tests that
// need it are skipped without it.
func sharedData(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
			continue
		}
		data := filepath.Join(dir, "..", "shared", "data")
		if _, err := os.Stat(data); err != nil {
			break
		}
		return data
	}
	t.Skip("../shared/data is absent")
	return ""
}

// TestOpen_AirRoutes compares counts with those published with the data set.
func TestOpen_AirRoutes(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	dir := filepath.Join(sharedData(t), "air-routes")
	opts := formats.Options{Allocator: mem}
	// Relationships first: the order of the files must not matter.
	files, err := input.OpenAll([]string{
		filepath.Join(dir, "air-routes-latest-edges.csv.gz"), filepath.Join(dir, "air-routes-latest-nodes.csv.gz"),
	}, opts)
	if err != nil {
		t.Fatal(err)
	}
	src, err := Open(context.Background(), files, opts)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if !src.Schema().NodesDeclared {
		t.Error("nodes are not declared")
	}
	got := map[string]int{}
	count := func(kind string, labels []string) {
		for _, label := range labels {
			got[kind]++
			got[strings.Clone(label)]++
		}
	}
	err = src.Nodes(context.Background(), func(b *formats.NodeBatch) error { count("nodes", b.Labels); return nil })
	if err != nil {
		t.Fatal(err)
	}
	err = src.Edges(context.Background(), func(b *formats.EdgeBatch) error { count("edges", b.Types); return nil })
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{
		"nodes": 3749, "version": 1, "airport": 3504, "country": 237, "continent": 7,
		"edges": 57645, "route": 50637, "contains": 7008,
	}
	for name, n := range want {
		if got[name] != n {
			t.Errorf("%s: %d, want %d", name, got[name], n)
		}
	}
}
