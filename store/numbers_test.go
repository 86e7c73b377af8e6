package store

import (
	"errors"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/snapshot"
	"github.com/penstock-db/penstock/store/internal/transaction"
)

// Snapshots share the numbering of their vertices until one of these is deleted, or the graph is loaded again, whatever
// else is written, and whether there are edges, whose chunks are of the topology, or none.
func TestManifest_Numbers(t *testing.T) {
	r := testseed.Rand(t)
	for _, edges := range []int{0, 50} {
		db := testDB(t)
		m := randomModel(r, db.mem, 300, edges)
		m.schema.NodesDeclared, m.schema.Orientation = edges == 0, formats.Directed
		loaded := func() {
			t.Helper()
			_, err := db.Load(t.Context(), "g", m, load.Options{Replace: true})
			must(t, err)
		}
		of := func() *snapshot.Snapshot {
			t.Helper()
			s, err := db.Snapshot("g")
			must(t, err)
			t.Cleanup(s.Close)
			return s
		}
		commits := func(change func(*transaction.Tx) error) {
			t.Helper()
			tx, err := db.Begin(t.Context(), "g", transaction.WriteAccess)
			must(t, err)
			must(t, change(tx))
			must(t, tx.Commit(t.Context()))
			_, err = db.Compact(t.Context(), "g")
			must(t, err)
		}
		for _, step := range []struct {
			name string
			do   func()
			same bool
		}{
			{"node property", func() {
				s := of()
				b := array.NewInt64Builder(memory.DefaultAllocator)
				defer b.Release()
				b.AppendValues(make([]int64, s.Manifest().Vertices), nil)
				column := b.NewArray()
				defer column.Release()
				_, err := db.WriteProperties(t.Context(), s, []PropertyColumn{{"mark", column}}, manifest.Provenance{})
				must(t, err)
			}, true},
			{"edge property", func() {
				_, err := db.WriteEdgeProperties(t.Context(), of(), []EdgePropertyColumn{told("told", 1)}, manifest.Provenance{})
				must(t, err)
			}, true},
			{"index", func() {
				must(t, db.CreateIndex(t.Context(), "g", manifest.Index{Name: "i", Label: "L", Key: "mark"}))
			}, true},
			{"statement", func() {
				commits(func(tx *transaction.Tx) error { return tx.SetNodeProperty(0, tx.NewKey("seen"), value.OfInt(1)) })
			}, true},
			{"deleted edges", func() { commits(deleteEdges) }, true},
			{"deleted node", func() {
				commits(func(tx *transaction.Tx) error { return errors.Join(deleteEdges(tx), tx.DeleteNode(0)) })
			}, false},
			{"loaded again", loaded, false},
		} {
			loaded()
			before := of().Manifest().Numbers()
			if step.do(); (of().Manifest().Numbers() == before) != step.same {
				t.Errorf("%d edges, %s: %d, then %d", edges, step.name, before, of().Manifest().Numbers())
			}
		}
	}
}

func deleteEdges(tx *transaction.Tx) error {
	for id := range tx.RelationshipCount() {
		if err := tx.DeleteRelationship(id); err != nil {
			return err
		}
	}
	return nil
}
