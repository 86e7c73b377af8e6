package store

import (
	"context"
	"errors"
	"testing"

	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/base"
	"github.com/penstock-db/penstock/store/internal/delta"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/transaction"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// Commits that are damaged, or that contradict one another, are found.
func TestVerify_FindsBadChanges(t *testing.T) {
	ctx := context.Background()
	for name, c := range map[string]*delta.Changes{
		"a relationship to nowhere": {Relationships: []delta.RelationshipChange{{ID: 7,
			Relationship: &delta.Relationship{Start: 0, End: 99}}}},
		"a deleted node with relationships": {
			Nodes: []delta.NodeChange{{ID: 0, Node: &delta.Node{Deleted: true}}}, NodeCount: -1, LabelCounts: []int64{-1},
		},
		"a node that was not counted": {Nodes: []delta.NodeChange{{ID: 9, Node: &delta.Node{Labeled: true}}}},
		"a label that was not counted": {
			Nodes: []delta.NodeChange{{ID: 9, Node: &delta.Node{Labeled: true, Labels: []delta.Token{0}}}}, NodeCount: 1,
		},
		"nothing that can be read": nil,
	} {
		db := testDB(t)
		must(t, db.CreateGraph(ctx, "g"))
		tx := begin(t, db, "g")
		a, err := tx.CreateNode([]base.Token{tx.NewLabel("A")})
		must(t, err)
		b, err := tx.CreateNode(nil)
		must(t, err)
		_, err = tx.CreateRelationship(a, b, tx.NewType("T"))
		must(t, err)
		must(t, tx.SetNodeProperty(a, tx.NewKey("k"), value.OfInt(1)))
		must(t, tx.Commit(ctx))
		must(t, db.Verify(ctx, "g"))
		g, err := db.graphs.Open(ctx, "g")
		must(t, err)
		bad := []byte{9}
		if c != nil {
			bad = c.Append(nil, g.Vocabulary())
		}
		must(t, db.log.Append("g", g.Log, 2, bad))
		if err := db.Verify(ctx, "g"); !errors.As(err, new(*failure.DamagedError)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A flipped bit in the log damages the graph, and is not taken for the end of the log.
func TestVerify_FindsFlippedBitsInTheLog(t *testing.T) {
	ctx, dir := context.Background(), scratch(t)
	var log uint64
	reopen(t, dir, func(db *DB) {
		must(t, db.CreateGraph(ctx, "g"))
		tx := begin(t, db, "g")
		_, err := tx.CreateNode(nil)
		must(t, err)
		must(t, tx.Commit(ctx))
		log = tx.Graph.Log
	})
	reopen(t, dir, func(db *DB) {
		key := layout.LogKey(log, 1, 0)
		must(t, db.badger.Update(func(txn *badger.Txn) error {
			head, err := tree.ReadSealed(db.badger.Tree(txn), key)
			must(t, err)
			value := layout.Seal(key, head)
			value[len(value)-1] ^= 4
			return txn.Set(key, value)
		}))
		if _, err := db.Begin(ctx, "g", transaction.ReadAccess); !errors.As(err, new(*failure.DamagedError)) {
			t.Error("a damaged log was read:", err)
		}
		if err := db.Verify(ctx, "g"); !errors.As(err, new(*failure.DamagedError)) {
			t.Error("a damaged log was verified:", err)
		}
	})
}
