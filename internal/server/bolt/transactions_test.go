package bolt

import (
	"context"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/fake"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/message"
)

// rows reads the records of a result, and its end.
func (c *client) rows() (rows [][]string) {
	c.t.Helper()
	for {
		tag, field := c.receive()
		if tag != message.TagRecord {
			if tag != message.TagSuccess {
				c.t.Fatalf("%#x: %s", tag, c.tell(field))
			}
			return rows
		}
		var row []string
		for _, v := range field.List() {
			row = append(row, v.Plain())
		}
		rows = append(rows, row)
	}
}

func (c *client) ask(statement string) [][]string {
	c.t.Helper()
	c.run(statement)
	c.pull(-1)
	return c.rows()
}

// What runs is shown and terminated by another connection, and its client told so.
func TestTransactions_Terminate(t *testing.T) {
	db := fake.New()
	address := serve(t, db, Options{Graph: "g"})
	busy, c := dial(t, address).login(), dial(t, address).login()
	busy.run("HANG")
	busy.pull(-1)
	<-db.Entered
	shown := c.ask("SHOW TRANSACTIONS YIELD transactionId, currentQuery, connectionId, status")
	if len(shown) != 2 || shown[0][1] != "HANG" || shown[0][3] != "Running" {
		t.Fatal(shown)
	}
	ended := c.ask("TERMINATE TRANSACTION '" + shown[0][0] + "'")
	if len(ended) != 1 || ended[0][2] != "Transaction terminated." {
		t.Fatal(ended)
	}
	busy.fails("Neo.ClientError.Transaction.Terminated")
	busy.send(message.TagReset)
	busy.succeeds()
	if shown := c.ask("SHOW TRANSACTIONS"); len(shown) != 1 {
		t.Error(shown)
	}
}

// A statement is shown as the options say: without passwords.
func TestTransactions_Shown(t *testing.T) {
	db := fake.New()
	address := serve(t, db, Options{Graph: "g", Shown: func(statement string) string { return "shown " + statement }})
	busy, c := dial(t, address).login(), dial(t, address).login()
	busy.run("HANG")
	busy.pull(-1)
	<-db.Entered
	if shown := c.ask("SHOW TRANSACTIONS YIELD currentQuery"); len(shown) != 2 || shown[0][0] != "shown HANG" {
		t.Error(shown)
	}
	busy.send(message.TagReset)
}

// A transaction that waits for its client is rolled back as soon as it is terminated.
func TestTransactions_TerminateIdle(t *testing.T) {
	db := fake.New()
	address := serve(t, db, Options{Graph: "g"})
	idle, c := dial(t, address).login(), dial(t, address).login()
	idle.send(message.TagBegin, none)
	idle.succeeds()
	shown := c.ask("SHOW TRANSACTIONS YIELD transactionId, currentQuery")
	if len(shown) != 2 || shown[0][1] != "" {
		t.Fatal(shown)
	}
	c.ask("TERMINATE TRANSACTION '" + shown[0][0] + "'")
	eventually(t, func() bool { return db.Open.Load() == 0 })
	idle.sendRun("CREATE")
	idle.fails("Neo.ClientError.Transaction.Terminated")
}

// Drivers run everything in transactions of several statements.
func TestTransactions_ShownInATransaction(t *testing.T) {
	c := dial(t, serve(t, fake.New(), Options{Graph: "g"})).login()
	c.send(message.TagBegin, none)
	c.succeeds()
	if shown := c.ask("SHOW TRANSACTIONS"); len(shown) != 1 {
		t.Error(shown)
	}
	c.send(message.TagCommit)
	c.succeeds()
}

// Users see and end what is theirs, administrators everything.
func TestTransactions_OfOthers(t *testing.T) {
	db := fake.New()
	address := serve(t, db, Options{Graph: "g", Auth: passwords{},
		Administrator: func(ctx context.Context) bool { return backend.CallerOf(ctx).User == "root" }})
	clients := map[string]*client{}
	for _, user := range []string{"ann", "bob", "root"} {
		clients[user] = dial(t, address).loginAs(user)
		clients[user].succeeds()
	}
	clients["ann"].send(message.TagBegin, none)
	clients["ann"].succeeds()
	if shown := clients["bob"].ask("SHOW TRANSACTIONS YIELD username"); len(shown) != 1 || shown[0][0] != "bob" {
		t.Error(shown)
	}
	shown := clients["root"].ask("SHOW TRANSACTIONS YIELD username, transactionId")
	if len(shown) != 2 || shown[0][0] != "ann" {
		t.Fatal(shown)
	}
	terminate := "TERMINATE TRANSACTION '" + shown[0][1] + "'"
	if ended := clients["bob"].ask(terminate); ended[0][2] != "Transaction not found." {
		t.Error(ended)
	}
	if ended := clients["root"].ask(terminate); ended[0][1] != "ann" || ended[0][2] != "Transaction terminated." {
		t.Error(ended)
	}
	eventually(t, func() bool { return db.Open.Load() == 0 })
}

func TestTransactions_SyntaxError(t *testing.T) {
	c := dial(t, serve(t, fake.New(), Options{})).login()
	c.sendRun("TERMINATE TRANSACTIONS")
	c.fails("Neo.ClientError.Statement.SyntaxError")
}

// A statement that takes longer than the server allows ends, and so does its transaction.
func TestTimeout_OfStatements(t *testing.T) {
	db := fake.New()
	const limit = time.Second // in which a slow machine comes from RUN to the end of a short statement
	c := dial(t, serve(t, db, Options{Limits: Limits{Statement: limit}})).login()
	c.run("HANG")
	c.pull(-1)
	c.fails("Neo.ClientError.Transaction.TransactionTimedOut")
	c.send(message.TagReset)
	c.succeeds()
	c.send(message.TagBegin, none)
	c.succeeds()
	c.run("COUNT 1")
	c.pull(-1)
	c.counts(0, 1)
	c.succeeds()
	time.Sleep(limit * 11 / 10) // a transaction takes as long as it likes
	c.run("COUNT 1")
	eventually(t, func() bool { return db.Open.Load() == 0 })
	c.pull(-1)
	c.fails("TransactionTimedOut")
}

// A client may ask for less time than the server gives, not for more.
func TestTimeout_OfTransactions(t *testing.T) {
	for _, c := range []struct {
		most   time.Duration
		client int64
	}{{200 * time.Millisecond, 0}, {200 * time.Millisecond, 3_600_000}, {time.Hour, 200}} {
		db := fake.New()
		connection := dial(t, serve(t, db, Options{Limits: Limits{Transaction: c.most}})).login()
		connection.send(message.TagBegin, fields(message.Integer("tx_timeout", c.client)))
		connection.succeeds()
		eventually(t, func() bool { return db.Open.Load() == 0 })
		connection.sendRun("CREATE")
		connection.fails("TransactionTimedOut")
	}
}
