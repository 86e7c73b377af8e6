package bolt

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/fake"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/message"
	"github.com/penstock-db/penstock/internal/server/status"
)

// begun sends the first n bytes of a message that does not end.
func (c *client) begun(n int) {
	c.t.Helper()
	whole := framed(bytes.Repeat([]byte{0}, n))
	c.write(whole[:len(whole)-2])
}

func large(n int) value.Entry { return message.Text("x", strings.Repeat("x", n)) }

// Messages that are never finished keep no others from small ones. A large one is refused, by a
// failure upon which drivers try again, and accepted once there is room.
func TestMemory_UnfinishedMessages(t *testing.T) {
	pool := memory.NewPool(16<<20, 10*time.Millisecond)
	address := serve(t, fake.New(), Options{Memory: pool})
	holder, c := dial(t, address).login(), dial(t, address).login()
	holder.begun(4 << 20)
	eventually(t, func() bool { return pool.Held() >= 4<<20-memory.Allowance })
	c.sendRun("RETURN $x", large(3<<20))
	c.fails("Neo.TransientError.General.MemoryPoolOutOfMemoryError")
	c.pull(-1)
	c.isIgnored()
	c.send(message.TagReset)
	c.succeeds()
	c.run("RETURN $x", large(1<<10))
	c.pull(-1)
	c.receive()
	c.succeeds()
	holder.Close()
	eventually(t, func() bool { return pool.Held() == 0 })
	c.run("RETURN $x", large(3<<20))
	c.send(message.TagDiscard, fields(message.Integer("n", -1)))
	c.succeeds()
	c.run("RETURN $x", large(100<<10))
	c.pull(-1)
	if tag, row := c.receive(); tag != message.TagRecord || len(row.List()[0].Str()) != 100<<10 {
		t.Errorf("%#x", tag)
	}
	c.succeeds()
}

// All messages together take no more than half of the pool: statements can go on.
func TestMemory_MessagesLeaveHalf(t *testing.T) {
	pool := memory.NewPool(8<<20, time.Millisecond)
	address := serve(t, fake.New(), Options{Memory: pool})
	var clients []*client
	for range 8 {
		c := dial(t, address).login()
		clients = append(clients, c)
		go func() { _, _ = c.Write(framed(make([]byte, 1<<20))) }()
	}
	for _, c := range clients {
		if tag, meta := c.receive(); tag != message.TagFailure {
			t.Fatalf("%#x", tag)
		} else if code := message.TextOf(meta, "code"); code != status.PoolOutOfMemory && code != status.RequestInvalid {
			t.Error(code)
		}
	}
	if peak, _ := pool.ResetPeak(); peak == 0 || peak > 4<<20 {
		t.Errorf("messages have taken %d bytes", peak)
	}
}

// A message that never could have room says so: it is not tried again.
func TestMemory_MessageLargerThanThePool(t *testing.T) {
	pool := memory.NewPool(1<<20, time.Hour)
	c := dial(t, serve(t, fake.New(), Options{Memory: pool})).login()
	c.sendRun("RETURN $x", large(2<<20))
	c.fails("Neo.ClientError.General.TransactionOutOfMemoryError")
}

// The rest of a message has to come within the time that a transaction may be idle.
func TestMemory_MessageThatIsNotFinished(t *testing.T) {
	c := dial(t, serve(t, fake.New(), Options{Limits: Limits{Idle: 200 * time.Millisecond}})).login()
	c.begun(1 << 20)
	c.fails("TransactionTimedOut")
	c.isClosed()
}

// A client may be silent between messages as long as it likes.
func TestMemory_SilenceBetweenMessages(t *testing.T) {
	c := dial(t, serve(t, fake.New(), Options{})).login()
	c.begun(1 << 10)
	c.write([]byte{0, 0})
	c.fails("Request.Invalid")
	c.isClosed()
	const idle = 200 * time.Millisecond // in which a slow machine takes a message that has arrived whole
	c = dial(t, serve(t, fake.New(), Options{Limits: Limits{Idle: idle}})).login()
	time.Sleep(2 * idle)
	c.run("COUNT 1")
}

// Answers that a client does not take are held, and counted, until it does, or is given up.
func TestMemory_SlowReader(t *testing.T) {
	pool := memory.NewPool(256<<20, time.Millisecond)
	c := dial(t, serve(t, fake.New(), Options{Memory: pool, Limits: Limits{Idle: time.Minute}})).login()
	c.run("RETURN $x", large(32<<20))
	c.pull(-1)
	eventually(t, func() bool { return pool.Held() >= 64<<20-2*memory.Allowance }) // the parameter and the row
	c.Close()
	eventually(t, func() bool { return pool.Held() == 0 })
}

// What results leave that are not read to their end counts, and comes back with the transaction.
func TestMemory_KeptRows(t *testing.T) {
	pool := memory.NewPool(1<<20, time.Millisecond)
	c := dial(t, serve(t, fake.New(), Options{Memory: pool})).login()
	c.send(message.TagBegin, none)
	c.succeeds()
	c.run("COUNT 1000000")
	c.sendRun("COUNT 1")
	c.fails("OutOfMemoryError")
	c.send(message.TagReset)
	c.succeeds()
	if held := pool.Held(); held != 0 {
		t.Errorf("%d bytes are left", held)
	}
}
