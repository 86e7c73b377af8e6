package exporter

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/graphtest"
	"github.com/penstock-db/penstock/formats/importer"
	"github.com/penstock-db/penstock/formats/sourcetest"
)

// TestWrite_AirRoutes takes a published property graph through each format that keeps
// properties, and finds it unchanged.
func TestWrite_AirRoutes(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	want := load(t, mem, sourcetest.SharedData(t, "air-routes", "air-routes-latest-nodes.csv.gz"),
		sourcetest.SharedData(t, "air-routes", "air-routes-latest-edges.csv.gz"))
	if len(want.Nodes) != 3749 || len(want.Edges) != 57645 {
		t.Fatalf("%d nodes, %d edges", len(want.Nodes), len(want.Edges))
	}
	want.NodeLabels, want.EdgeType = true, true
	for _, format := range []string{"csv", "parquet"} {
		dir := t.TempDir()
		if err := Write(context.Background(), want.Source(mem, formats.BatchRows), format, dir, nil); err != nil {
			t.Fatal(err)
		}
		got := load(t, mem, filepath.Join(dir, "relationships."+format), filepath.Join(dir, "nodes."+format))
		if difference := graphtest.Diff(want, got); difference != "" {
			t.Errorf("%s: %s", format, difference)
		}
	}
}

func load(t *testing.T, mem memory.Allocator, paths ...string) *graphtest.Graph {
	t.Helper()
	src, err := importer.Open(context.Background(), paths, formats.Options{Allocator: mem})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	g, err := graphtest.Collect(context.Background(), src)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
