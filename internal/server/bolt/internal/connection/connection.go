package connection

import (
	"fmt"
	"net"
)

// Connection is a client's. Its user is the registry's.
type Connection struct {
	net.Conn
	number uint64
	host   string // of the client
	user   *user  // nil: it has not logged in
}

// ID is the connection's name in logs.
func (c *Connection) ID() string { return fmt.Sprintf("bolt-%d", c.number) }

func hostOf(address net.Addr) string {
	host, _, err := net.SplitHostPort(address.String())
	if err != nil {
		return address.String()
	}
	return host
}
