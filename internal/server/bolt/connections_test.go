package bolt

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/memory"
)

// passwords lets in who has a password that is their name.
type passwords struct{}

func (passwords) Authenticate(_ context.Context, _, user, password string) (string, error) {
	if user != password {
		return "", errors.New("wrong")
	}
	return user, nil
}

// loginAs logs in; the answer to the last message is not read.
func (c *client) loginAs(user string) *client {
	c.t.Helper()
	c.propose(0x00040405)
	c.send(tagHello, none)
	c.succeeds()
	c.send(tagLogon, fields(text("scheme", "basic"), text("principal", user), text("credentials", user)))
	return c
}

// However many connections are silent, somebody new gets in, and nobody who is in is put out.
func TestConnections_SilentOnesGiveWay(t *testing.T) {
	address := serve(t, newFake(), Options{Limits: Limits{Connections: 10, Login: time.Hour}})
	in := dial(t, address).login()
	var silent []*client
	for range 50 {
		silent = append(silent, dial(t, address))
	}
	for range 5 {
		dial(t, address).login().run("COUNT 1")
	}
	in.run("COUNT 1")
	for _, c := range silent[:40] {
		c.isClosed()
	}
}

// Where all have logged in, one more is refused.
func TestConnections_Full(t *testing.T) {
	address := serve(t, newFake(), Options{Limits: Limits{Connections: 2}})
	first, second := dial(t, address).login(), dial(t, address).login()
	dial(t, address).isClosed()
	first.Close()
	second.run("COUNT 1")
}

// When there is no room, the oldest stranger goes of those from the address that has the most.
func TestConnections_LeastWelcome(t *testing.T) {
	c := newConnections(Limits{Connections: 5}, memory.Unlimited())
	enter := func(host string) (*connection, *connection) {
		entered, closed, ok := c.enter(fakeConn{host})
		if !ok {
			t.Fatal("there is no room")
		}
		return entered, closed
	}
	admitted, _ := enter("10.0.0.1")
	if _, err := c.admit(admitted, "ann"); err != nil {
		t.Fatal(err)
	}
	enter("10.0.0.2")
	first, _ := enter("10.0.0.1")
	second, _ := enter("10.0.0.1")
	enter("10.0.0.3")
	for _, want := range []*connection{first, second} {
		if _, closed := enter("10.0.0.1"); closed != want {
			t.Errorf("%v was closed, not %v", closed, want)
		}
	}
	if _, err := c.admit(first, "ann"); err == nil {
		t.Error("one that was closed is let in")
	}
}

type fakeConn struct{ host string }

func (f fakeConn) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.ParseIP(f.host), Port: 1} }
func (fakeConn) Close() error           { return nil }

func (fakeConn) Read([]byte) (int, error)         { return 0, net.ErrClosed }
func (fakeConn) Write([]byte) (int, error)        { return 0, net.ErrClosed }
func (fakeConn) LocalAddr() net.Addr              { return nil }
func (fakeConn) SetDeadline(time.Time) error      { return nil }
func (fakeConn) SetReadDeadline(time.Time) error  { return nil }
func (fakeConn) SetWriteDeadline(time.Time) error { return nil }

// A user has so many connections, and others have theirs.
func TestConnections_PerUser(t *testing.T) {
	address := serve(t, newFake(), Options{Auth: passwords{}, Limits: Limits{UserConnections: 2}})
	first, second := dial(t, address).loginAs("ann"), dial(t, address).loginAs("ann")
	first.succeeds()
	second.succeeds()
	third := dial(t, address).loginAs("ann")
	third.fails("Neo.TransientError.Request.NoThreadsAvailable")
	third.isClosed()
	dial(t, address).loginAs("bob").succeeds()
	first.send(tagLogoff)
	first.succeeds()
	dial(t, address).loginAs("ann").succeeds()
}

// A user's connections take so much memory together, and others are not hindered.
func TestConnections_MemoryPerUser(t *testing.T) {
	pool := memory.NewPool(16<<20, time.Millisecond)
	address := serve(t, newFake(), Options{Auth: passwords{}, Memory: pool, Limits: Limits{UserMemory: 4 << 20}})
	first, second, other := dial(t, address).loginAs("ann"), dial(t, address).loginAs("ann"), dial(t, address).loginAs("bob")
	for _, c := range []*client{first, second, other} {
		c.succeeds()
	}
	first.begun(1 << 20)
	eventually(t, func() bool { return pool.Held() >= 1<<20-memory.Allowance })
	second.sendRun("RETURN $x", large(3<<20))
	second.fails("OutOfMemoryError")
	other.run("RETURN $x", large(700<<10))
}
