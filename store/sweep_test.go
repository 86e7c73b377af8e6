package store

import (
	"testing"

	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/store/internal/catalog"
	"github.com/penstock-db/penstock/store/internal/layout"
)

// Nothing is swept while the catalog names a graph that the tree does not: an iterator may have ended early.
func TestSweep_AsksTheCatalog(t *testing.T) {
	db := testDB(t)
	must(t, db.CreateGraph(t.Context(), "g"))
	rubbish := layout.Piece{Generation: 1 << 40, Kind: layout.ColumnKind, Item: 1}.Key(0)
	must(t, db.badger.Update(func(txn *badger.Txn) error { return txn.Set(rubbish, []byte("rubbish")) }))
	name := func(snapshot uint64) {
		change := catalog.Graph{Name: "ghost", Snapshot: snapshot}
		must(t, db.catalog.Change(change, func() (bool, error) { return true, nil }))
	}
	for _, c := range []struct {
		snapshot uint64
		swept    int
	}{{99, 0}, {0, 1}} { // 0: the catalog names it no more
		name(c.snapshot)
		swept, err := db.sweep(t.Context())
		if must(t, err); swept != c.swept {
			t.Errorf("with snapshot %d in the catalog, %d values were swept instead of %d", c.snapshot, swept, c.swept)
		}
	}
}
