package store

import (
	"context"
	"errors"
	"testing"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/base"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/transaction"
)

// addPerson makes a node :Person with an email and, unless it is empty, a name.
func addPerson(t *testing.T, tx *transaction.Tx, email int64, name string) uint64 {
	t.Helper()
	id, err := tx.CreateNode([]base.Token{tx.NewLabel("Person")})
	must(t, err)
	must(t, tx.SetNodeProperty(id, tx.NewKey("email"), value.OfInt(email)))
	if name != "" {
		must(t, tx.SetNodeProperty(id, tx.NewKey("name"), value.OfString(name)))
	}
	return id
}

// Constraints are kept by statements, by transactions that run at once, after compaction and
// when the database is opened again, and are not made where they do not hold.
func TestConstraint_IsKept(t *testing.T) {
	ctx, dir := context.Background(), scratch(t)
	unique := manifest.Constraint{Name: "one email", Kind: manifest.Unique, Label: "Person", Keys: []string{"email"}}
	violated := func(err error) {
		t.Helper()
		if !errors.As(err, new(*transaction.ConstraintError)) {
			t.Fatalf("a constraint is violated: %v", err)
		}
	}
	commit := func(db *DB, email int64, name string) error {
		tx := begin(t, db, "g")
		addPerson(t, tx, email, name)
		return tx.Commit(ctx)
	}
	reopen(t, dir, func(db *DB) {
		must(t, db.CreateGraph(ctx, "g"))
		must(t, commit(db, 1, ""))
		violated(db.CreateConstraint(ctx, "g", manifest.Constraint{Kind: manifest.NodeKey, Label: "Person",
			Keys: []string{"email", "name"}}))
		violated(db.CreateConstraint(ctx, "g", manifest.Constraint{Kind: manifest.Exists, Label: "Person",
			Keys: []string{"name"}}))
		must(t, db.CreateConstraint(ctx, "g", unique))
		if err := db.CreateConstraint(ctx, "g", unique); !errors.As(err, new(*transaction.SchemaExistsError)) {
			t.Fatal(err)
		}
		violated(commit(db, 1, ""))
		a, b := begin(t, db, "g"), begin(t, db, "g")
		addPerson(t, a, 2, "")
		addPerson(t, b, 2, "")
		must(t, b.CheckConstraints())
		must(t, a.Commit(ctx))
		violated(b.Commit(ctx))
		_, err := db.Compact(ctx, "g")
		must(t, err)
		violated(commit(db, 2, ""))
		must(t, commit(db, 3, ""))
	})
	reopen(t, dir, func(db *DB) {
		violated(commit(db, 3, ""))
		violated(db.CreateConstraint(ctx, "g", manifest.Constraint{Kind: manifest.Exists, Label: "Person",
			Keys: []string{"name"}}))
		must(t, db.DropConstraint(ctx, "g", unique.Name))
		must(t, commit(db, 3, ""))
		violated(db.CreateConstraint(ctx, "g", unique))
	})
}

// An existence constraint holds of nodes that get the label and that lose the property.
func TestConstraint_Exists(t *testing.T) {
	ctx, db := context.Background(), testDB(t)
	must(t, db.CreateGraph(ctx, "g"))
	must(t, db.CreateConstraint(ctx, "g", manifest.Constraint{Kind: manifest.NodeKey, Label: "Person",
		Keys: []string{"email", "name"}}))
	must(t, db.CreateConstraint(ctx, "g", manifest.Constraint{Kind: manifest.Exists, OnRelationship: true, Label: "KNOWS",
		Keys: []string{"since"}}))
	tx := begin(t, db, "g")
	a, b := addPerson(t, tx, 1, "Ann"), addPerson(t, tx, 1, "Bob")
	plain, err := tx.CreateNode(nil)
	must(t, err)
	must(t, tx.Commit(ctx))
	for name, change := range map[string]func(*transaction.Tx) error{
		"no name": func(tx *transaction.Tx) error { return tx.SetNodeProperty(a, tx.NewKey("name"), value.Value{}) },
		"another's values": func(tx *transaction.Tx) error {
			return tx.SetNodeProperty(b, tx.NewKey("name"),
				value.OfString("Ann"))
		},
		"label": func(tx *transaction.Tx) error {
			_,
				err := tx.AddLabel(plain, tx.NewLabel("Person"))
			return err
		},
		"no since": func(tx *transaction.Tx) error {
			_,
				err := tx.CreateRelationship(a, b, tx.NewType("KNOWS"))
			return err
		},
	} {
		tx := begin(t, db, "g")
		must(t, change(tx))
		if err := tx.CheckConstraints(); !errors.As(err, new(*transaction.ConstraintError)) {
			t.Errorf("%s: %v", name, err)
		}
		if err := tx.Commit(ctx); !errors.As(err, new(*transaction.ConstraintError)) {
			t.Errorf("%s at commit: %v", name, err)
		}
	}
}

// In a loaded graph nodes have ids of the user's: found, unique, never changed, and those of
// new nodes outlive compaction.
func TestTx_UserIDs(t *testing.T) {
	ctx, db := context.Background(), testDB(t)
	_, err := db.Load(ctx, "g", edgeModel([2]int{5, 3}, [2]int{3, 90}), load.Options{Order: manifest.OrderDegree})
	must(t, err)
	find := func(tx *transaction.Tx, id value.Value) (node uint64, n int) {
		for _, index := range tx.Indexes() {
			must(t, tx.Seek(index, id, func(found uint64) bool { node = found; n++; return true }))
		}
		return node, n
	}
	tx := begin(t, db, "g")
	key, _ := tx.Key("id")
	three, n := find(tx, value.OfInt(3))
	if d, _ := tx.Degree(three, transaction.Both, nil); n != 1 || d != 2 {
		t.Fatalf("%d nodes have the id 3, degree %d", n, d)
	}
	if err := tx.SetNodeProperty(three, key, value.OfInt(4)); !errors.As(err, new(*transaction.IDError)) {
		t.Fatal("an id has changed:", err)
	}
	made, err := tx.CreateNode(nil)
	must(t, err)
	if v, _ := tx.NodeProperty(made, key); v.Int() != 91 {
		t.Fatal("a new node has id", v.Text())
	}
	must(t, tx.SetNodeProperty(made, key, value.OfString("new")))
	for _, bad := range []value.Value{value.OfInt(-1), value.OfString("7"), value.OfFloat(1.5), value.OfString("")} {
		if err := tx.SetNodeProperty(made, key, bad); !errors.As(err, new(*transaction.IDError)) {
			t.Fatal(bad.Text(), err)
		}
	}
	must(t, tx.Commit(ctx))
	_, err = db.Compact(ctx, "g")
	must(t, err)
	for _, id := range []value.Value{value.OfInt(90), value.OfString("new")} {
		tx = begin(t, db, "g")
		made, err = tx.CreateNode(nil)
		must(t, err)
		must(t, tx.SetNodeProperty(made, key, id))
		if err := tx.Commit(ctx); !errors.As(err, new(*transaction.ConstraintError)) {
			t.Fatalf("two nodes have the id %s: %v", id.Text(), err)
		}
	}
	s, err := db.Snapshot("g")
	must(t, err)
	defer s.Close()
	_, err = s.Vertex(ctx, "new")
	must(t, err)
}
