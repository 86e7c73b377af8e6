package device

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/graph500"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

// stored is a graph of 2^scale vertices with weights, in chunks of so many bytes.
func stored(t *testing.T, rng *rand.Rand, scale int, chunkBytes int) *store.Snapshot {
	t.Helper()
	source, err := graph500.New(graph500.Options{Kind: graph500.RMAT, Scale: scale, EdgeFactor: 20, Seed: rng.Uint64(),
		Weights: true})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	db, err := store.Open(t.TempDir(), store.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.Load(t.Context(), "g", source, store.LoadOptions{ChunkBytes: chunkBytes}); err != nil {
		t.Fatal(err)
	}
	snap, err := db.Snapshot("g")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(snap.Close)
	return snap
}

// Each edge leads into one share; a device that is left without one has an empty one.
func TestDivide(t *testing.T) {
	rng := testseed.Rand(t)
	for range 4 {
		snap := stored(t, rng, rng.IntN(10), 0)
		g := &Group{Devices: make([]*Device, 2+rng.IntN(4))}
		for i := range g.Devices {
			g.Devices[i] = &Device{}
		}
		if err := g.Divide(t.Context(), snap, algorithms.Edges(rng.IntN(3))); err != nil {
			t.Fatal(err)
		}
		end := uint64(0)
		for _, d := range g.Devices {
			if d.Share.Count > 0 && (d.Share.Base != end || end%shareAlign != 0) {
				t.Errorf("%+v begins not at %d", d.Share, end)
			}
			end += d.Share.Count
		}
		if end != snap.Manifest().Vertices {
			t.Errorf("shares of %d vertices, of %d", end, snap.Manifest().Vertices)
		}
	}
}
