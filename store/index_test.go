package store

import (
	"context"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/formats/value"
)

// An index finds what has its label now, not what had it in the base.
func TestIndex_FollowsLabels(t *testing.T) {
	ctx, db := context.Background(), testDB(t)
	must(t, db.CreateGraph(ctx, "g"))
	index := Index{Name: "people", Label: "Person", Key: "email"}
	must(t, db.CreateIndex(ctx, "g", index))
	tx := begin(t, db, "g")
	a := addPerson(t, tx, 1, "")
	b, err := tx.CreateNode([]Token{tx.NewLabel("Robot")})
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
	find := func(tx *Tx) {
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
