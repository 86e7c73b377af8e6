package bolt

import (
	"cmp"
	"fmt"
	"net"
	"slices"
	"sync"

	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/server/status"
)

// connections are those that a server has. Strangers, who are not let in yet, never keep others
// out: when there is no room for one more, a stranger is closed. It is the one who has waited longest of
// those from the address that has the most.
type connections struct {
	limit   int
	perUser int // 0: as many as there may be
	pool    *memory.Pool
	memory  int64 // of a user; 0: as much as there is

	mu    sync.Mutex // protects all below, and the fields of connections
	all   map[*connection]struct{}
	users map[string]*user
	count uint64 // connections, ever
}

type connection struct {
	net.Conn
	number uint64
	host   string // of the client
	user   *user  // nil: a stranger
}

// user is somebody who is let in, by one connection or several.
type user struct {
	name        string
	connections int
	share       *memory.Share
}

func newConnections(l Limits, pool *memory.Pool) *connections {
	return &connections{
		limit: l.Connections, perUser: l.UserConnections, pool: pool, memory: int64(l.UserMemory),
		all: make(map[*connection]struct{}), users: make(map[string]*user),
	}
}

func (c *connection) id() string { return fmt.Sprintf("bolt-%d", c.number) }

// enter adds a connection. It may close another, which is returned. False: there is no room, as
// nobody is a stranger.
func (c *connections) enter(conn net.Conn) (entered, closed *connection, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.all) >= c.limit {
		if closed = c.leastWelcome(); closed == nil {
			return nil, nil, false
		}
		closed.Close()
		delete(c.all, closed)
	}
	c.count++
	entered = &connection{Conn: conn, number: c.count, host: hostOf(conn.RemoteAddr())}
	c.all[entered] = struct{}{}
	return entered, closed, true
}

func hostOf(address net.Addr) string {
	host, _, err := net.SplitHostPort(address.String())
	if err != nil {
		return address.String()
	}
	return host
}

// leastWelcome needs mu.
func (c *connections) leastWelcome() *connection {
	strangers := make(map[string][]*connection)
	for one := range c.all {
		if one.user == nil {
			strangers[one.host] = append(strangers[one.host], one)
		}
	}
	var most []*connection
	for _, from := range strangers {
		if len(from) > len(most) {
			most = from
		}
	}
	if len(most) == 0 {
		return nil
	}
	return slices.MinFunc(most, func(a, b *connection) int { return cmp.Compare(a.number, b.number) })
}

// admit makes a stranger a user's connection, unless it was closed meanwhile, or the user has as
// many as one may have. Without a name it is of everybody whose name nobody asks.
func (c *connections) admit(one *connection, name string) (*user, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, there := c.all[one]; !there {
		return nil, errGone
	}
	u := c.users[name]
	if u == nil {
		u = &user{name: name, share: c.pool.NewShare(c.memory)}
		c.users[name] = u
	}
	if name != "" && c.perUser > 0 && u.connections >= c.perUser {
		f := status.Errorf(status.TooManyConnections, "the user %q has %d connections, which is as many as one may have: close one of them", name, u.connections)
		f.Fatal = true
		return nil, f
	}
	u.connections++
	one.user = u
	return u, nil
}

// dismiss makes a connection a stranger's again.
func (c *connections) dismiss(one *connection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget(one)
}

// leave closes a connection and forgets it.
func (c *connections) leave(one *connection) {
	one.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget(one)
	delete(c.all, one)
}

// forget needs mu.
func (c *connections) forget(one *connection) {
	if one.user == nil {
		return
	}
	if one.user.connections--; one.user.connections == 0 {
		delete(c.users, one.user.name)
	}
	one.user = nil
}

func (c *connections) closeAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for one := range c.all {
		one.Close()
	}
}
