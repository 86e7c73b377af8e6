package store

import (
	"context"
	"errors"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/load"
)

func TestEachChunk(t *testing.T) {
	db := testDB(t)
	m, err := db.Load(t.Context(), "g", weighted(), load.Options{ChunkBytes: 1})
	must(t, err)
	if len(m.Out) < 2 {
		t.Fatalf("%d chunks do not show that there are several", len(m.Out))
	}
	s, err := db.Snapshot("g")
	must(t, err)
	defer s.Close()
	for _, d := range []chunk.Direction{chunk.Out, chunk.In} {
		next, edges := uint64(0), 0
		for c, err := range s.EachChunk(t.Context(), d) {
			must(t, err)
			if c.Meta().Direction != d || c.Meta().Rows.Base != next || len(c.Columns()) > 0 {
				t.Errorf("%+v with %d columns, not the %s-lists from %d", c.Meta(), len(c.Columns()), d, next)
			}
			next, edges = c.Meta().Rows.End(), edges+c.Edges()
		}
		if next != m.Vertices || edges != int(m.Edges) {
			t.Errorf("%s: %d vertices and %d edges instead of %d and %d", d, next, edges, m.Vertices, m.Edges)
		}
	}
}

func TestEachChunk_Ends(t *testing.T) {
	db := testDB(t)
	_, err := db.Load(t.Context(), "g", weighted(), load.Options{ChunkBytes: 1})
	must(t, err)
	s, err := db.Snapshot("g")
	must(t, err)
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	seen := 0
	for _, err := range s.EachChunk(ctx, chunk.Out) {
		if seen++; seen == 1 {
			must(t, err)
			cancel()
		} else if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	if seen != 2 {
		t.Errorf("it went on %d times, not once with a chunk and once with the error", seen)
	}
	for range s.EachChunk(t.Context(), chunk.Out) {
		break
	}
}
