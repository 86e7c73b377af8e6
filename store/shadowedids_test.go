package store

import (
	"errors"
	"fmt"
	"maps"
	"testing"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// asWritten changes the manifest on the disk as programs before the mending of ids would have written it.
func asWritten(t *testing.T, db *DB, change func(*manifest.Manifest)) {
	t.Helper()
	m, err := db.current("g")
	must(t, err)
	change(m)
	must(t, db.putManifest(m))
}

// idsAndResults are, by id, the nodes' values of the result that was written as `id`.
func idsAndResults(t *testing.T, db *DB) map[string]string {
	t.Helper()
	tx := begin(t, db, "g")
	defer tx.Rollback()
	all := map[string]string{}
	id, result := tx.NewKey("id"), tx.NewKey("id_written")
	must(t, tx.Nodes(func(node uint64) bool {
		own, err := tx.NodeProperty(node, id)
		must(t, err)
		written, err := tx.NodeProperty(node, result)
		must(t, err)
		all[own.Text()] = written.Text()
		found := 0
		index := tx.Indexes()[len(tx.Indexes())-1]
		must(t, tx.Seek(index, own, func(other uint64) bool { found++; return other == node }))
		if index.Key != "id" || found != 1 {
			t.Errorf("node %d is found %d times by its id %s in the index of %q", node, found, own.Text(), index.Key)
		}
		return true
	}))
	return all
}

// A result that was written as `id` when that was allowed hides nobody's id any more: it has another name, with what
// statements have changed it to, and nodes that were created before and since have their ids.
func TestMendIDs(t *testing.T) {
	ctx, dir := t.Context(), scratch(t)
	want := map[string]string{"10": "7", "20": "1", "30": "1", "100": "null", "31": "8"}
	reopen(t, dir, func(db *DB) {
		_, err := db.Load(ctx, "g", edgeModel([2]int{10, 20}, [2]int{20, 30}), load.Options{})
		must(t, err)
		tx := begin(t, db, "g")
		node, err := tx.CreateNode(nil)
		must(t, err)
		must(t, tx.SetNodeProperty(node, tx.NewKey("id"), value.OfInt(100)))
		must(t, tx.Commit(ctx))
		s, err := db.Snapshot("g")
		must(t, err)
		defer s.Close()
		must(t, writeMark(db, s, 1))
		asWritten(t, db, func(m *manifest.Manifest) {
			m.NodeProperties[0].Name = "id"
			m.NodeProperties[0].Provenance = nil // as if it was loaded, it hides the ids still
		})
	})
	reopen(t, dir, func(db *DB) {
		tx := begin(t, db, "g")
		node, err := tx.CreateNode(nil)
		must(t, err)
		must(t, tx.SetNodeProperty(0, tx.NewKey("id"), value.OfInt(7)))
		must(t, tx.SetNodeProperty(node, tx.NewKey("id"), value.OfInt(8)))
		must(t, tx.Commit(ctx))
		asWritten(t, db, func(m *manifest.Manifest) {
			m.NodeProperties[0].Provenance = &manifest.Provenance{Algorithm: "pagerank"}
		})
	})
	for _, change := range []func(*DB) error{
		func(*DB) error { return nil },
		// a manifest above the same log
		func(db *DB) error { return db.CreateIndex(ctx, "g", manifest.Index{Label: "L", Key: "k"}) },
		func(db *DB) error { _, err := db.Compact(ctx, "g"); return err },
		func(*DB) error { return nil },
	} {
		reopen(t, dir, func(db *DB) {
			must(t, change(db))
			if got := idsAndResults(t, db); !maps.Equal(got, want) {
				t.Errorf("%v; expected %v", got, want)
			}
			must(t, db.Verify(ctx, "g"))
		})
	}
	reopen(t, dir, func(db *DB) {
		m, err := db.current("g")
		must(t, err)
		if p, ok := m.NodeProperty("id_written"); !ok || p.Provenance == nil || m.Shadowed != "" {
			t.Errorf("after a compaction: %+v, %q", p, m.Shadowed)
		}
	})
}

// Names under which no result can be written. Graphs of statements' own have no ids, and `id` is a property like
// others.
func TestCheckResultName(t *testing.T) {
	own, made := &manifest.Manifest{NodeProperties: []manifest.Property{{Name: "loaded"},
		{Name: "rank", Provenance: &manifest.Provenance{}}}}, &manifest.Manifest{Anonymous: true}
	for name, allowed := range map[string][2]bool{
		"": {}, ":x": {}, "a\xff": {}, "id": {false, true}, "loaded": {false, true}, "rank": {true, true}, "ID": {true, true},
	} {
		for i, m := range []*manifest.Manifest{own, made} {
			err := m.CheckResultName(name)
			var refused *failure.PropertyError
			if (err == nil) != allowed[i] || err != nil && !errors.As(err, &refused) {
				t.Error(fmt.Sprintf("%q", name), i, err)
			}
		}
	}
}
