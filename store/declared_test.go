package store

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/batch"
	"github.com/penstock-db/penstock/store/internal/load"
)

// isolated is a graph without edges, whose vertices only a number declares.
type isolated struct {
	vertices int64
	made     int64
}

func (s *isolated) Schema() formats.Schema {
	return formats.Schema{
		Orientation: formats.Undirected, NodesDeclared: true, IntegerIDs: true,
		Vertices: s.vertices, Edges: 0, Declared: formats.Position{File: "g.gr", Line: 7},
	}
}

func (s *isolated) Nodes(ctx context.Context, yield func(*formats.NodeBatch) error) error {
	return batch.Interval(ctx, 1, s.vertices+1, s.Schema().Declared, func(b *formats.NodeBatch) error {
		s.made += int64(b.ID.Len())
		return yield(b)
	})
}

func (s *isolated) Edges(context.Context, func(*formats.EdgeBatch) error) error { return nil }
func (s *isolated) Close() error                                                { return nil }

// A number in a header that takes more memory than there is ends the load before any vertex
// is made, with Memory given or not.
func TestMemory_DeclaredVertices(t *testing.T) {
	db := testDB(t)
	for _, c := range []struct {
		vertices, memory int64
		want             string
	}{
		{4_000_000_000, 0, "g.gr:7: "},
		{4_000_000_000, 1 << 30, "g.gr:7: 1.0 GiB of memory are too little: a graph of 4000000000 vertices takes at least "},
		{1_000_000, 32 << 20, "g.gr:7: 32 MiB of memory are too little: a graph of 1000000 vertices takes at least"},
		{5_000_000_000, 0, "g.gr:7: 5000000000 vertices; expected at most 4294967295 in one graph"},
	} {
		src := &isolated{vertices: c.vertices}
		_, err := db.Load(t.Context(), "g", src, load.Options{Memory: c.memory})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || src.made > 0 {
			t.Errorf("%d vertices, of which %d were made: %v", c.vertices, src.made, err)
		}
	}
}

// What the header's refusal calls the least is, but for the rounding of tables, enough for a
// graph that has no edges.
func TestMemory_DeclaredLeast(t *testing.T) {
	db := testDB(t)
	src := &isolated{vertices: 1_000_000}
	var short *load.MemoryError
	if _, err := db.Load(t.Context(), "g", src, load.Options{Memory: 32 << 20}); !errors.As(err, &short) {
		t.Fatal(err)
	}
	m, err := db.Load(t.Context(), "g", src, load.Options{Memory: short.Least * 101 / 100})
	if err != nil || m.Vertices != 1_000_000 {
		t.Errorf("with %d bytes and a hundredth more: %v", short.Least, err)
	}
}
