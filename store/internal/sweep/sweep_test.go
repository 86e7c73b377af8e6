package sweep

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/tree"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// keys are all keys of b.
func keys(t *testing.T, b *tree.Badger) (all []string) {
	t.Helper()
	must(t, b.View(func(txn *badger.Txn) error {
		return b.Tree(txn).EachKey(nil, func(key []byte) error {
			all = append(all, string(key))
			return nil
		})
	}))
	return all
}

// randomManifest names columns of some generations, and a log.
func randomManifest(r *rand.Rand, name string) *manifest.Manifest {
	m := &manifest.Manifest{Version: manifest.Version, Graph: name, ID: 1 + r.Uint64N(9), Log: 1 + r.Uint64N(9)}
	for range r.IntN(4) {
		column := manifest.Column{Generation: 1 + r.Uint64N(9), Item: r.Uint32N(4), Rows: 1}
		m.NodeProperties = append(m.NodeProperties, manifest.Property{Column: column})
	}
	return m
}

// A sweep deletes every piece and every log that no manifest names, and nothing else.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	b, err := tree.Open(filepath.Join(dir, "badger"), nil)
	must(t, err)
	defer b.Close()
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 0))
		current := []*manifest.Manifest{randomManifest(r, "a"), randomManifest(r, "b")}
		pinned := []*manifest.Manifest{randomManifest(r, "a")}
		cataloged := map[string]uint64{"a": current[0].ID, "b": current[1].ID}
		want := map[string]bool{string(layout.GraphKey("a")): true, string(layout.GenerationKey): true}
		for range 300 {
			piece := layout.Piece{Generation: 1 + r.Uint64N(9), Kind: layout.ColumnKind, Item: r.Uint32N(4)}
			named := func(m *manifest.Manifest) bool { return slices.Contains(slices.Collect(m.Pieces()), piece) }
			all := slices.Concat(current, pinned)
			want[string(piece.Key(r.Uint32N(3)))] = slices.ContainsFunc(all, named)
			log := 1 + r.Uint64N(9)
			ofLog := func(m *manifest.Manifest) bool { return m.Log == log }
			want[string(layout.LogKey(log, r.Uint64N(3), r.Uint32N(3)))] = slices.ContainsFunc(all, ofLog)
		}
		batch := b.NewWriteBatch()
		for key := range want {
			must(t, batch.Set([]byte(key), []byte("value")))
		}
		must(t, batch.Flush())
		live, err := NewLive(current, cataloged, pinned)
		must(t, err)
		deleted, err := live.Sweep(t.Context(), dir, b)
		must(t, err)
		count := len(want)
		maps.DeleteFunc(want, func(_ string, named bool) bool { return !named })
		if deleted != count-len(want) || !slices.Equal(keys(t, b), slices.Sorted(maps.Keys(want))) {
			t.Fatalf("seed %d: of %d keys %d are named, and %d were deleted", seed, count, len(want), deleted)
		}
		must(t, live.DropLog(dir, b, new(sync.Mutex), current[0].Log))
		if left := keys(t, b); len(left) != len(want) {
			t.Fatalf("seed %d: of a log that is live, %d keys were dropped", seed, len(want)-len(left))
		}
		clear(live) // and the next seed begins with an empty tree but for what is no piece
		_, err = live.Sweep(t.Context(), dir, b)
		must(t, err)
	}
}

// Nothing is live, and so nothing is swept, unless the catalog names the graphs of the tree.
func TestNewLive_AsksTheCatalog(t *testing.T) {
	a := &manifest.Manifest{Graph: "a", ID: 3, Log: 3}
	for _, cataloged := range []map[string]uint64{{}, {"a": 2}, {"b": 3}, {"a": 3, "b": 4}} {
		live, err := NewLive([]*manifest.Manifest{a}, cataloged, nil)
		if !errors.As(err, new(*failure.DamagedError)) || live != nil {
			t.Error(fmt.Sprint(cataloged), live, err)
		}
	}
	_, err := NewLive([]*manifest.Manifest{a}, map[string]uint64{"a": 3}, nil)
	must(t, err)
}
