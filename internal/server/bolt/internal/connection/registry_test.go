package connection

import (
	"net"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/memory"
)

// When there is no room, the registry closes a connection that has not logged in: the oldest of those from the address
// that has the most.
func TestEnter_ClosesTheOldestSilent(t *testing.T) {
	c := NewRegistry(Limits{Connections: 5}, memory.Unlimited())
	enter := func(host string) (*Connection, *Connection) {
		entered, closed, ok := c.Enter(fakeConn{host})
		if !ok {
			t.Fatal("there is no room")
		}
		return entered, closed
	}
	user, _ := enter("10.0.0.1")
	if _, err := c.Login(user, "ann"); err != nil {
		t.Fatal(err)
	}
	enter("10.0.0.2")
	first, _ := enter("10.0.0.1")
	second, _ := enter("10.0.0.1")
	enter("10.0.0.3")
	for _, want := range []*Connection{first, second} {
		if _, closed := enter("10.0.0.1"); closed != want {
			t.Errorf("%v was closed, not %v", closed, want)
		}
	}
	if _, err := c.Login(first, "ann"); err == nil {
		t.Error("a connection that was closed can log in")
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
