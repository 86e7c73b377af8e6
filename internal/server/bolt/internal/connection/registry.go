package connection

import (
	"cmp"
	"net"
	"slices"
	"sync"

	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/server/status"
)

// ErrGone is a client that has closed its connection, or whose connection the registry has closed.
var ErrGone = status.Errorf(status.Terminated, "the client is gone")

// Limits of a Registry.
type Limits struct {
	Connections     int   // at once
	UserConnections int   // at once, of a user; 0: only Connections counts
	UserMemory      int64 // bytes of the pool, of a user; 0: only the pool's limit counts
}

// Registry is the connections that a server has. Those that have not logged in never keep others out: when there
// is no room for one more, the registry closes one of them. It is the oldest of those from the address that has the
// most.
type Registry struct {
	limits Limits
	pool   *memory.Pool

	serving sync.WaitGroup

	mu    sync.Mutex // protects all below, and the fields of connections
	all   map[*Connection]struct{}
	users map[string]*user
	count uint64 // connections, ever
}

// user is a user that has logged in, on one connection or several.
type user struct {
	name        string
	connections int
	share       *memory.Share
}

// NewRegistry makes a registry. Users take memory from the pool.
func NewRegistry(l Limits, pool *memory.Pool) *Registry {
	return &Registry{limits: l, pool: pool, all: make(map[*Connection]struct{}), users: make(map[string]*user)}
}

// Enter adds a connection. It may close another, which is returned. False: there is no room, as all
// have logged in.
func (r *Registry) Enter(conn net.Conn) (entered, closed *Connection, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.all) >= r.limits.Connections {
		if closed = r.oldestSilent(); closed == nil {
			return nil, nil, false
		}
		closed.Close()
		delete(r.all, closed)
	}
	r.count++
	entered = &Connection{Conn: conn, number: r.count, host: hostOf(conn.RemoteAddr())}
	r.all[entered] = struct{}{}
	return entered, closed, true
}

// oldestSilent is the connection to close for one more; nil: all have logged in. It needs mu.
func (r *Registry) oldestSilent() *Connection {
	silent := make(map[string][]*Connection)
	for c := range r.all {
		if c.user == nil {
			silent[c.host] = append(silent[c.host], c)
		}
	}
	var most []*Connection
	for _, from := range silent {
		if len(from) > len(most) {
			most = from
		}
	}
	if len(most) == 0 {
		return nil
	}
	return slices.MinFunc(most, func(a, b *Connection) int { return cmp.Compare(a.number, b.number) })
}

// Login makes a connection a user's, unless it was closed meanwhile, or the user has as many as one may have. All
// connections without a name count as one user, without a limit. The share is the user's memory.
func (r *Registry) Login(c *Connection, name string) (*memory.Share, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, there := r.all[c]; !there {
		return nil, ErrGone
	}
	u := r.users[name]
	if u == nil {
		u = &user{name: name, share: r.pool.NewShare(r.limits.UserMemory)}
		r.users[name] = u
	}
	if most := r.limits.UserConnections; name != "" && most > 0 && u.connections >= most {
		const format = "the user %q has %d connections, which is as many as one may have: close one of them"
		full := status.Errorf(status.TooManyConnections, format, name, u.connections)
		full.Fatal = true
		return nil, full
	}
	u.connections++
	c.user = u
	return u.share, nil
}

// Logoff takes a connection from its user.
func (r *Registry) Logoff(c *Connection) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forget(c)
}

// Leave closes a connection and forgets it.
func (r *Registry) Leave(c *Connection) {
	c.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forget(c)
	delete(r.all, c)
}

// forget needs mu.
func (r *Registry) forget(c *Connection) {
	if c.user == nil {
		return
	}
	if c.user.connections--; c.user.connections == 0 {
		delete(r.users, c.user.name)
	}
	c.user = nil
}

// CloseAll closes all connections. They are forgotten as they leave.
func (r *Registry) CloseAll() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.all {
		c.Close()
	}
}
