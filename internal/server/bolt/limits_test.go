package bolt

import (
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/fake"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/inbox"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/message"
)

func TestLimit_MessageSize(t *testing.T) {
	address := serve(t, fake.New(), Options{Limits: Limits{MessageSize: 1 << 20}})
	c := dial(t, address).login()
	c.run("RETURN $x", message.Text("x", strings.Repeat("x", 1<<19)))
	c.pull(-1)
	if tag, row := c.receive(); tag != message.TagRecord || len(row.List()[0].Str()) != 1<<19 {
		t.Fatalf("%#x", tag)
	}
	c.succeeds()
	c.sendRun("RETURN $x", message.Text("x", strings.Repeat("x", 1<<20)))
	c.fails("Neo.ClientError.Request.Invalid")
	c.isClosed()
	stranger := dial(t, address)
	stranger.propose(0x0405)
	stranger.send(message.TagHello, fields(message.Text("x", strings.Repeat("x", inbox.UnknownClientMessage))))
	stranger.fails("Neo.ClientError.Request.Invalid")
	stranger.isClosed()
}

func TestLimit_Memory(t *testing.T) {
	c := dial(t, serve(t, fake.New(), Options{Limits: Limits{Memory: 1 << 16}})).login()
	c.sendRun("RETURN $x", message.Entry("x", value.OfList(make([]value.Value, 1<<13))))
	c.fails("Neo.ClientError.Request.Invalid")
}

func TestLimit_Connections(t *testing.T) {
	address := serve(t, fake.New(), Options{Limits: Limits{Connections: 2}})
	a := dial(t, address).login()
	dial(t, address).login()
	dial(t, address).isClosed()
	a.Close()
	eventually(t, func() bool {
		c := dial(t, address)
		c.write([]byte{0x60, 0x60, 0xB0, 0x17, 0, 0, 4, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
		_, err := c.byte()
		return err == nil
	})
}

func TestLimit_Login(t *testing.T) {
	address := serve(t, fake.New(), Options{Limits: Limits{Login: 20 * time.Millisecond}})
	dial(t, address).isClosed()
	c := dial(t, address)
	c.propose(0x0405)
	c.isClosed()
}
