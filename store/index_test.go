package store

import (
	"context"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/base"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/transaction"
)

// An index finds what has its label now, not what had it in the base.
func TestIndex_FollowsLabels(t *testing.T) {
	ctx, db := context.Background(), testDB(t)
	must(t, db.CreateGraph(ctx, "g"))
	index := manifest.Index{Name: "people", Label: "Person", Key: "email"}
	must(t, db.CreateIndex(ctx, "g", index))
	tx := begin(t, db, "g")
	a := addPerson(t, tx, 1, "")
	b, err := tx.CreateNode([]base.Token{tx.NewLabel("Robot")})
	must(t, err)
	must(t, tx.SetNodeProperty(b, tx.NewKey("email"), value.OfInt(1)))
	must(t, tx.Commit(ctx))
	_, err = db.Compact(ctx, "g")
	must(t, err)
	tx = begin(t, db, "g")
	_, err = tx.RemoveLabel(a, tx.NewLabel("Person"))
	must(t, err)
	_, err = tx.AddLabel(b, tx.NewLabel("Person"))
	must(t, err)
	find := func(tx *transaction.Tx) {
		t.Helper()
		var found []uint64
		must(t, tx.Seek(index, value.OfFloat(1), func(id uint64) bool { found = append(found, id); return true }))
		if !slices.Equal(found, []uint64{b}) {
			t.Fatalf("the index leads to %v, not %d", found, b)
		}
	}
	find(tx)
	must(t, tx.Commit(ctx))
	tx = begin(t, db, "g")
	defer tx.Rollback()
	find(tx)
}

// An index that was made while a transaction gave a node of the base its label finds that node.
func TestIndex_MadeDuringATransaction(t *testing.T) {
	ctx, db := context.Background(), testDB(t)
	must(t, db.CreateGraph(ctx, "g"))
	tx := begin(t, db, "g")
	node, err := tx.CreateNode(nil)
	must(t, err)
	must(t, tx.SetNodeProperty(node, tx.NewKey("email"), value.OfInt(1)))
	must(t, tx.Commit(ctx))
	_, err = db.Compact(ctx, "g")
	must(t, err)
	tx = begin(t, db, "g")
	_, err = tx.AddLabel(node, tx.NewLabel("Person"))
	must(t, err)
	index := manifest.Index{Name: "people", Label: "Person", Key: "email"}
	must(t, db.CreateIndex(ctx, "g", index))
	must(t, tx.Commit(ctx))
	tx = begin(t, db, "g")
	defer tx.Rollback()
	var found []uint64
	must(t, tx.Seek(index, value.OfInt(1), func(id uint64) bool { found = append(found, id); return true }))
	if !slices.Equal(found, []uint64{node}) {
		t.Fatalf("the index leads to %v", found)
	}
	must(t, db.Verify(ctx, "g"))
}

// An index is made on the graph that a compaction leaves, also when that publishes while the index waits to be made.
func TestIndex_MadeDuringACompaction(t *testing.T) {
	ctx, db := context.Background(), testDB(t)
	must(t, db.CreateGraph(ctx, "g"))
	tx := begin(t, db, "g")
	addPerson(t, tx, 1, "")
	must(t, tx.Commit(ctx))
	index := manifest.Index{Name: "people", Label: "Person", Key: "email"}
	waiting, made := waitingContext{ctx, make(chan struct{}, 100)}, make(chan error, 1)
	_, err := db.write(ctx, "g", func(g *writing) (*manifest.Manifest, error) {
		go func() { made <- db.CreateIndex(waiting, "g", index) }()
		<-waiting.asked // the graph is open, and what makes the index waits for this write
		opened, err := db.graphs.Open(ctx, "g")
		must(t, err)
		must(t, opened.Acquire(ctx))
		g.holds = opened
		return compactGraph(ctx, db.dir, g.Generation, opened)
	})
	must(t, err)
	must(t, <-made)
	m, err := db.current("g")
	must(t, err)
	if len(m.Indexes) != 1 || m.Indexes[0] != index || m.Vertices != 1 {
		t.Errorf("%d vertices, indexes %v", m.Vertices, m.Indexes)
	}
}

// waitingContext tells when it is asked for its end.
type waitingContext struct {
	context.Context
	asked chan struct{}
}

func (c waitingContext) Done() <-chan struct{} {
	c.asked <- struct{}{}
	return c.Context.Done()
}
