package supply

import (
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/graph500"
	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/store"
)

// A chunk that is too small to be in a file is looked for there once, and copied from then on without that.
func TestSupply_LooksForAChunkInFilesOnce(t *testing.T) {
	source, err := graph500.New(graph500.Options{Kind: graph500.RMAT, Scale: 8, EdgeFactor: 8, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	db, err := store.Open(t.TempDir(), store.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.Load(t.Context(), "g", source, store.LoadOptions{}); err != nil {
		t.Fatal(err)
	}
	snap, err := db.Snapshot("g")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(snap.Close)
	cache, err := NewCache(snap, plan.Arena{}, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cache.Close)
	info := snap.Chunks(chunk.Out)[0]
	s := New(snap, cache, []plan.Chunk{{Info: info, Size: 1 << 18}}, nil, meter.New(0, func(report.Span) {}))
	view := func() {
		if _, lasting, err := s.View(t.Context(), 0); err != nil || lasting {
			t.Fatalf("lasting %t, error %v", lasting, err)
		}
	}
	again := testing.AllocsPerRun(10, view)
	first := testing.AllocsPerRun(10, func() {
		clear(s.copied)
		view()
	})
	if again >= first {
		t.Errorf("%g allocations, as many as the %g where it is looked for", again, first)
	}
}
