package store

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/store/internal/catalog"
	"github.com/penstock-db/penstock/store/internal/directory"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// Manifests of earlier versions stay readable: testdata holds one of each.
func TestManifest_Golden(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "manifest-v1.json"))
	must(t, err)
	m, err := manifest.Decode(data)
	must(t, err)
	p, ok := m.NodeProperty("rank")
	if !ok || p.Provenance.Algorithm != "pagerank" || m.Vertices != 4 || len(m.Out) != 1 || m.Out[0].Rows.Count != 4 {
		t.Errorf("%+v", m)
	}
	field, err := p.Field()
	if err != nil || field.Name != "rank" || field.Type.String() != "float64" {
		t.Error(field, err)
	}
	again, err := manifest.Encode(m)
	if err != nil || string(again)+"\n" != string(data) {
		t.Errorf("%v\n%s\n%s", err, again, data)
	}
}

// A damaged manifest hides no other graph, and its own can be dropped or loaded anew.
func TestManifest_Damaged(t *testing.T) {
	db := testDB(t)
	for _, graph := range []string{"a", "b"} {
		_, err := db.Load(t.Context(), graph, edgeModel([2]int{1, 2}), load.Options{})
		must(t, err)
	}
	harm := func() {
		must(t, db.badger.Update(func(txn *badger.Txn) error { return txn.Set(layout.GraphKey("a"), []byte("no manifest")) }))
	}
	harm()
	var damage *failure.DamagedError
	graphs, err := db.Graphs()
	if !errors.As(err, &damage) || damage.Graph != "a" || len(graphs) != 1 || graphs[0].Graph != "b" {
		t.Error(graphs, err)
	}
	if _, err := db.Snapshot("a"); !errors.As(err, &damage) {
		t.Error(err)
	}
	_, err = db.Load(t.Context(), "a", edgeModel([2]int{1, 2}), load.Options{Replace: true})
	must(t, err)
	must(t, db.Verify(t.Context(), "a"))
	harm()
	must(t, db.Drop(t.Context(), "a"))
	must(t, db.Verify(t.Context(), "b"))
	assertNothingUnnamed(t, db)
}

// The first commit to a graph of an older version makes its manifest one of this version, in the tree and in the
// catalog.
func TestManifest_Upgraded(t *testing.T) {
	db := testDB(t)
	_, err := db.Load(t.Context(), "g", edgeModel([2]int{1, 2}), load.Options{})
	must(t, err)
	asWritten(t, db, func(m *manifest.Manifest) { m.Version, m.Log = 2, 0 })
	tx := begin(t, db, "g")
	_, err = tx.CreateNode(nil)
	must(t, err)
	must(t, tx.Commit(t.Context()))
	m, err := db.current("g")
	must(t, err)
	text, err := manifest.Encode(m)
	must(t, err)
	state, err := catalog.Read(directory.Catalog(db.dir))
	must(t, err)
	if copied := state.Graphs["g"].Manifest; m.Version != manifest.Version || !bytes.Equal(copied, text) {
		t.Errorf("the tree has\n%s\nand the catalog\n%s", text, copied)
	}
}
