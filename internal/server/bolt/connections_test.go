package bolt

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/fake"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/message"
)

// passwords lets users in with a password that is their name.
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
	c.send(message.TagHello, none)
	c.succeeds()
	c.send(message.TagLogon, fields(message.Text("scheme", "basic"), message.Text("principal", user),
		message.Text("credentials", user)))
	return c
}

// However many connections are silent, a new client can log in, and none that has logged in is closed.
func TestConnections_SilentOnesGiveWay(t *testing.T) {
	address := serve(t, fake.New(), Options{Limits: Limits{Connections: 10, Login: time.Hour}})
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
	address := serve(t, fake.New(), Options{Limits: Limits{Connections: 2}})
	first, second := dial(t, address).login(), dial(t, address).login()
	dial(t, address).isClosed()
	first.Close()
	second.run("COUNT 1")
}

// A user has so many connections, and others have theirs.
func TestConnections_PerUser(t *testing.T) {
	address := serve(t, fake.New(), Options{Auth: passwords{}, Limits: Limits{UserConnections: 2}})
	first, second := dial(t, address).loginAs("ann"), dial(t, address).loginAs("ann")
	first.succeeds()
	second.succeeds()
	third := dial(t, address).loginAs("ann")
	third.fails("Neo.TransientError.Request.NoThreadsAvailable")
	third.isClosed()
	dial(t, address).loginAs("bob").succeeds()
	first.send(message.TagLogoff)
	first.succeeds()
	dial(t, address).loginAs("ann").succeeds()
}

// A user's connections take so much memory together, and others are not hindered.
func TestConnections_MemoryPerUser(t *testing.T) {
	pool := memory.NewPool(16<<20, time.Millisecond)
	address := serve(t, fake.New(), Options{Auth: passwords{}, Memory: pool, Limits: Limits{UserMemory: 4 << 20}})
	first, second, other := dial(t, address).loginAs("ann"), dial(t, address).loginAs("ann"),
		dial(t, address).loginAs("bob")
	for _, c := range []*client{first, second, other} {
		c.succeeds()
	}
	first.begun(1 << 20)
	eventually(t, func() bool { return pool.Held() >= 1<<20-memory.Allowance })
	second.sendRun("RETURN $x", large(3<<20))
	second.fails("OutOfMemoryError")
	other.run("RETURN $x", large(700<<10))
}
