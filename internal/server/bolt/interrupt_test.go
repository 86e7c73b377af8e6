package bolt

import (
	"net"
	"testing"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/fake"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/message"
	"github.com/penstock-db/penstock/internal/server/status"
)

func TestReset_InterruptsWhatRuns(t *testing.T) {
	db := fake.New()
	c := dial(t, serve(t, db, Options{})).login()
	for _, explicit := range []bool{false, true} {
		if explicit {
			c.send(message.TagBegin, none)
			c.succeeds()
		}
		c.run("HANG")
		c.pull(-1)
		c.sendRun("COUNT 3")
		<-db.Entered
		c.send(message.TagReset)
		c.fails("Transaction.Terminated")
		c.isIgnored()
		c.succeeds()
		if n := db.Open.Load(); n != 0 {
			t.Fatalf("%d are still open", n)
		}
	}
	c.run("COUNT 1")
	c.pull(-1)
	c.counts(0, 1)
	c.succeeds()
}

func TestTimeout_OfClient(t *testing.T) {
	c := dial(t, serve(t, fake.New(), Options{})).login()
	c.send(message.TagRun, value.OfString("HANG"), none, fields(message.Integer("tx_timeout", 200)))
	c.succeeds()
	c.pull(-1)
	c.fails("TransactionTimedOut")
}

func TestIdle_TransactionIsGivenUp(t *testing.T) {
	db := fake.New()
	c := dial(t, serve(t, db, Options{Limits: Limits{Idle: 200 * time.Millisecond}})).login()
	c.send(message.TagBegin, none)
	c.succeeds()
	eventually(t, func() bool { return db.Open.Load() == 0 })
	c.sendRun("CREATE")
	c.fails("TransactionTimedOut")
	c.send(message.TagReset)
	c.succeeds()
}

func TestKeepAlive_WhileAStatementRuns(t *testing.T) {
	db := fake.New()
	c := dial(t, serve(t, db, Options{Limits: Limits{KeepAlive: 10 * time.Millisecond}})).login()
	c.run("HANG")
	c.pull(-1)
	<-db.Entered
	for range 4 { // two empty messages
		if b, err := c.byte(); err != nil || b != 0 {
			t.Fatal(b, err)
		}
	}
	c.send(message.TagReset)
	c.fails("Terminated")
	c.succeeds()
}

func (c *client) byte() (byte, error) {
	var b [1]byte
	_, err := c.Read(b[:])
	return b[0], err
}

func TestVanish_RollsBack(t *testing.T) {
	db := fake.New()
	address := serve(t, db, Options{})
	hanging, streaming, idle := dial(t, address).login(), dial(t, address).login(), dial(t, address).login()
	idle.send(message.TagBegin, none)
	idle.succeeds()
	idle.run("CREATE")
	hanging.run("HANG")
	hanging.pull(-1)
	<-db.Entered
	streaming.run("COUNT 100000000")
	streaming.pull(-1)
	streaming.counts(0, 10)
	for _, c := range []*client{hanging, streaming, idle} {
		c.Close()
	}
	eventually(t, func() bool { return db.Open.Load() == 0 })
	if db.Committed() != 0 {
		t.Fatal("what nobody committed was committed")
	}
}

func TestStop_RollsBackAndTells(t *testing.T) {
	db := fake.New()
	address, stop := start(t, db, Options{})
	hanging, idle := dial(t, address).login(), dial(t, address).login()
	idle.send(message.TagBegin, none)
	idle.succeeds()
	idle.run("CREATE")
	hanging.run("HANG")
	hanging.pull(-1)
	<-db.Entered
	stop()
	hanging.fails("Neo.TransientError.General.DatabaseUnavailable")
	hanging.isClosed()
	idle.isClosed()
	if db.Committed() != 0 {
		t.Fatal("what nobody committed was committed")
	}
	eventually(t, func() bool { // clients may be told a moment before the listener is closed
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
		}
		return err != nil
	})
}

func TestPanic_EndsOneConnection(t *testing.T) {
	address := serve(t, fake.New(), Options{})
	c := dial(t, address).login()
	c.run("PANIC")
	c.pull(-1)
	c.fails("Neo.DatabaseError.General.UnknownError")
	c.isClosed()
	dial(t, address).login().run("COUNT 1")
}

func TestViolation_EndsTheConnection(t *testing.T) {
	address := serve(t, fake.New(), Options{})
	for name, violate := range map[string]func(*client){
		"unknown":            func(c *client) { c.send(0x55) },
		"PULL of nothing":    func(c *client) { c.pull(-1) },
		"COMMIT of nothing":  func(c *client) { c.send(message.TagCommit) },
		"HELLO again":        func(c *client) { c.send(message.TagHello, none) },
		"too few fields":     func(c *client) { c.send(message.TagRun, value.OfString("COUNT 1")) },
		"of the wrong type":  func(c *client) { c.send(message.TagRun, none, none, none) },
		"no structure":       func(c *client) { c.write(framed([]byte{0xC0})) },
		"RUN while streamed": func(c *client) { c.run("COUNT 5"); c.sendRun("COUNT 5") },
	} {
		c := dial(t, address).login()
		violate(c)
		tag, meta := c.receive()
		if tag != message.TagFailure || message.TextOf(meta, "code") != status.RequestInvalid {
			t.Errorf("%s: %#x", name, tag)
		}
		c.isClosed()
	}
}
