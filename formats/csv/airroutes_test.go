package csv

import (
	"context"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/input"
	"github.com/penstock-db/penstock/formats/sourcetest"
)

// TestOpen_AirRoutes compares counts with those published with the data set.
func TestOpen_AirRoutes(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	opts := formats.Options{Allocator: mem}
	// Relationships first: the order of the files must not matter.
	files, err := input.OpenAll([]string{
		sourcetest.SharedData(t, "air-routes", "air-routes-latest-edges.csv.gz"),
		sourcetest.SharedData(t, "air-routes", "air-routes-latest-nodes.csv.gz"),
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
