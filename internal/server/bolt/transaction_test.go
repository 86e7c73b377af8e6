package bolt

import (
	"testing"

	"github.com/penstock-db/penstock/internal/server/bolt/internal/fake"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/message"
)

func TestTransaction_CommitAndRollback(t *testing.T) {
	db := fake.New()
	c := dial(t, serve(t, db, Options{})).login()
	for _, end := range []byte{message.TagCommit, message.TagRollback} {
		c.send(message.TagBegin, none)
		c.succeeds()
		first, second := c.run("COUNT 5"), c.run("CREATE")
		c.send(message.TagPull, fields(message.Integer("n", 2), message.Entry("qid", first.Get("qid"))))
		c.counts(0, 2)
		c.succeeds()
		c.send(message.TagPull, fields(message.Integer("n", -1), message.Entry("qid", second.Get("qid"))))
		c.succeeds()
		c.send(end)
		if bookmark := message.TextOf(c.succeeds(), "bookmark"); (bookmark == "fake:1") != (end == message.TagCommit) {
			t.Fatal(bookmark)
		}
	}
	if db.Committed() != 1 {
		t.Fatal(db.Committed())
	}
}

// TestTransaction_RowsAreKept reads two results by turns.
func TestTransaction_RowsAreKept(t *testing.T) {
	c := dial(t, serve(t, fake.New(), Options{Limits: Limits{Memory: 1 << 16}})).login()
	c.send(message.TagBegin, none)
	c.succeeds()
	pull := func(n, id int64) {
		c.send(message.TagPull, fields(message.Integer("n", n), message.Integer("qid", id)))
	}
	for id := range int64(2) {
		if got := c.run("COUNT 100").Get("qid").Int(); got != id {
			t.Fatal(got)
		}
		pull(10, id)
		c.counts(0, 10)
		c.succeeds()
	}
	for id := range int64(2) {
		pull(20, id)
		c.counts(10, 30)
		c.succeeds()
	}
	for id := range int64(2) {
		pull(-1, id)
		c.counts(30, 100)
		c.succeeds()
	}
	pull(1, 0)
	c.fails("Neo.ClientError.Request.Invalid")
	c.send(message.TagReset)
	c.succeeds()
	c.send(message.TagBegin, none)
	c.succeeds()
	c.run("COUNT 1000000")
	c.sendRun("COUNT 1")
	c.fails("ExecutionFailed")
}

func TestTransaction_FailureRollsBack(t *testing.T) {
	db := fake.New()
	c := dial(t, serve(t, db, Options{})).login()
	c.send(message.TagBegin, none)
	c.succeeds()
	c.run("CREATE")
	c.sendRun("CONFLICT")
	c.fails("Neo.TransientError.Transaction.Outdated")
	if n := db.Open.Load(); n != 0 {
		t.Fatalf("%d are still open", n)
	}
	c.send(message.TagCommit)
	c.isIgnored()
	c.send(message.TagReset)
	c.succeeds()
	if db.Committed() != 0 {
		t.Fatal("what failed was committed")
	}
}

func TestTransaction_ReadAccess(t *testing.T) {
	c := dial(t, serve(t, fake.New(), Options{})).login()
	c.send(message.TagBegin, fields(message.Text("mode", "r")))
	c.succeeds()
	c.sendRun("CREATE")
	c.fails("AccessMode")
}

func TestTransaction_UnknownGraph(t *testing.T) {
	c := dial(t, serve(t, fake.New(), Options{})).login()
	c.send(message.TagBegin, fields(message.Text("db", "none")))
	c.fails("DatabaseNotFound")
}
