package supply

import (
	"sync"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/graph500"
	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/store"
)

// Copies last as long as there is room for all, and none where memory keeps nothing.
func TestSupply_Passing(t *testing.T) {
	s := &Supply{Cache: &Cache{}}
	for range 16 {
		s.chunks = append(s.chunks, plan.Chunk{Size: 1 << 20})
	}
	if why := s.Passing(); why != (plan.Unordered{}) {
		t.Errorf("16 MiB do not last: %s", why)
	}
	s.chunks = append(s.chunks, plan.Chunk{Size: 1})
	if why := s.Passing(); why != (plan.Unordered{Cause: plan.SmallChunks, Need: 16<<20 + 1, Have: mostCopies}) {
		t.Errorf("a byte more: %s", why)
	}
	if s.chunks, s.scarce = s.chunks[:1], true; s.Passing().Cause != plan.Scarce {
		t.Errorf("in scarce memory: %s", s.Passing())
	}
}

// A chunk that is too small to be in a file is copied once, as long as there is room for copies.
func TestSupply_KeepsSmallCopies(t *testing.T) {
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
	view := func() (*chunk.Chunk, bool) {
		c, lasting, err := s.View(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		return c, lasting
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, _, err := s.View(t.Context(), 0); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if read := s.rec.Meter.Total().Read; read != 1<<18 {
		t.Errorf("eight look at a chunk of %d bytes at once: %d are read", 1<<18, read)
	}
	first, lasting := view()
	if again, _ := view(); again != first || !lasting {
		t.Errorf("another copy; the first stays: %t", lasting)
	}
	s.Release()
	s.copies = mostCopies
	second, lasting := view()
	if third, _ := view(); second == third || lasting {
		t.Errorf("the copy stays without room, %t", lasting)
	}
}
