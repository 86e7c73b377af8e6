package store

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/base"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/transaction"
)

// begin begins a transaction that may write.
func begin(t *testing.T, db *DB, graph string) *transaction.Tx {
	t.Helper()
	tx, err := db.Begin(context.Background(), graph, transaction.WriteAccess)
	must(t, err)
	return tx
}

// A transaction sees its own changes, others see them after the commit, and all see them
// after the database has been opened again.
func TestTx_CommitsAreSeenAndStay(t *testing.T) {
	ctx, dir := context.Background(), scratch(t)
	reopen(t, dir, func(db *DB) {
		must(t, db.CreateGraph(ctx, "g"))
		if err := db.CreateGraph(ctx, "g"); !errors.As(err, new(*failure.GraphExistsError)) {
			t.Fatalf("created twice: %v", err)
		}
		tx := begin(t, db, "g")
		person, knows, name := tx.NewLabel("Person"), tx.NewType("KNOWS"), tx.NewKey("name")
		a, err := tx.CreateNode([]base.Token{person})
		must(t, err)
		b, err := tx.CreateNode(nil)
		must(t, err)
		must(t, tx.SetNodeProperty(a, name, value.OfString("Ann")))
		r, err := tx.CreateRelationship(a, b, knows)
		must(t, err)
		must(t, tx.SetRelationshipProperty(r, name, value.OfInt(7)))
		other := begin(t, db, "g")
		must(t, tx.Commit(ctx))
		if other.NodeCount() != 0 || other.NodeExists(a) {
			t.Fatal("a transaction sees a later commit")
		}
		other.Rollback()
	})
	reopen(t, dir, func(db *DB) {
		tx := begin(t, db, "g")
		defer tx.Rollback()
		person, ok := tx.Label("Person")
		if !ok || tx.LabelCount(person) != 1 || tx.NodeCount() != 2 || tx.RelationshipCount() != 1 {
			t.Fatal("the graph is not as it was committed")
		}
		var with []uint64
		must(t, tx.NodesWith(person, func(id uint64) bool { with = append(with, id); return true }))
		if !slices.Equal(with, []uint64{0}) {
			t.Fatalf("nodes with the label: %v", with)
		}
		key, _ := tx.Key("name")
		v, err := tx.NodeProperty(0, key)
		must(t, err)
		if v.Kind() != value.String || v.Str() != "Ann" {
			t.Fatal("the property is", v.Kind())
		}
		must(t, tx.Expand(1, transaction.In, nil, func(rel, other uint64) bool {
			if v, err := tx.RelationshipProperty(rel, key); err != nil || v.Int() != 7 || other != 0 {
				t.Fatalf("relationship %d from %d", rel, other)
			}
			return true
		}))
		must(t, tx.DeleteNode(0))
		if err := tx.CheckDeleted(); !errors.As(err, new(*transaction.ConnectedError)) {
			t.Fatalf("a connected node was deleted: %v", err)
		}
	})
}

// Of two transactions that change the same entity the second to commit is refused; a
// relationship is not made to a node that is deleted.
func TestTx_TheFirstToCommitWins(t *testing.T) {
	ctx := context.Background()
	db := testDB(t)
	must(t, db.CreateGraph(ctx, "g"))
	tx := begin(t, db, "g")
	key, typ := tx.NewKey("k"), tx.NewType("T")
	for range 3 {
		_, err := tx.CreateNode(nil)
		must(t, err)
	}
	must(t, tx.Commit(ctx))
	set := func(node uint64) func(*transaction.Tx) error {
		return func(tx *transaction.Tx) error { return tx.SetNodeProperty(node, key, value.OfInt(1)) }
	}
	connect := func(a, b uint64) func(*transaction.Tx) error {
		return func(tx *transaction.Tx) error { _, err := tx.CreateRelationship(a, b, typ); return err }
	}
	remove := func(node uint64) func(*transaction.Tx) error {
		return func(tx *transaction.Tx) error { return tx.DeleteNode(node) }
	}
	for _, c := range []struct {
		name          string
		first, second func(*transaction.Tx) error
		conflict      bool
	}{
		{"same node", set(0), set(0), true},
		{"two nodes", set(0), set(1), false},
		{"two relationships at the same nodes", connect(0, 1), connect(0, 1), false},
		{"a relationship to a deleted node", remove(2), connect(0, 2), true},
	} {
		a, b := begin(t, db, "g"), begin(t, db, "g")
		must(t, c.first(a))
		must(t, c.second(b))
		must(t, a.Commit(ctx))
		if err := b.Commit(ctx); errors.Is(err, failure.ErrConflict) != c.conflict {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	tx = begin(t, db, "g")
	defer tx.Rollback()
	if d, err := tx.Degree(0, transaction.Out, nil); err != nil || d != 2 {
		t.Fatalf("degree %d: %v", d, err)
	}
}

// A transaction that takes more memory than allowed is refused; between others, compaction
// makes room.
func TestTx_BoundsItsMemory(t *testing.T) {
	ctx := context.Background()
	db, err := Open(scratch(t), Options{Create: true, ChangesBytes: 10_000})
	must(t, err)
	defer db.Close()
	must(t, db.CreateGraph(ctx, "g"))
	write := func(nodes int) (err error) {
		tx := begin(t, db, "g")
		defer tx.Rollback()
		for range nodes {
			if _, err := tx.CreateNode(nil); err != nil {
				return err
			}
		}
		return tx.Commit(ctx)
	}
	var full *transaction.ChangesFullError
	if err := write(1000); !errors.As(err, &full) || !full.Transaction {
		t.Fatal("a transaction of any size:", err)
	}
	for range 50 {
		must(t, write(10))
	}
	tx := begin(t, db, "g")
	defer tx.Rollback()
	if tx.NodeCount() != 500 || tx.Base.Vertices == 0 || tx.State.Bytes > 10_000 {
		t.Fatalf("%d nodes, of which %d are compacted; changes take %d bytes", tx.NodeCount(), tx.Base.Vertices,
			tx.State.Bytes)
	}
}

// A transaction of very many changes is committed whole, by way of parts of the log.
// BenchmarkCommit makes three million.
func TestTx_Large(t *testing.T) {
	ctx, dir, changes := context.Background(), scratch(t), 200_000
	reopen(t, dir, func(db *DB) {
		must(t, db.CreateGraph(ctx, "g"))
		tx := begin(t, db, "g")
		label, typ := tx.NewLabel("N"), tx.NewType("T")
		for i := range changes / 2 {
			id, err := tx.CreateNode([]base.Token{label})
			must(t, err)
			_, err = tx.CreateRelationship(id, uint64(i/2), typ)
			must(t, err)
		}
		must(t, tx.Commit(ctx))
	})
	reopen(t, dir, func(db *DB) {
		tx := begin(t, db, "g")
		defer tx.Rollback()
		if tx.NodeCount() != uint64(changes/2) || tx.RelationshipCount() != uint64(changes/2) {
			t.Fatalf("%d nodes and %d relationships", tx.NodeCount(), tx.RelationshipCount())
		}
		if d, err := tx.Degree(7, transaction.In, nil); err != nil || d != 2 {
			t.Fatal(d, err)
		}
	})
}
