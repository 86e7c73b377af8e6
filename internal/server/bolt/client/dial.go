package client

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/url"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/handshake"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/message"
)

// Login is a user and a password; both are empty where the server asks for no name.
type Login struct{ User, Password string }

// Dial connects to a server at bolt://host:port, or by TLS at bolt+s:// (bolt+ssc:// believes
// any certificate); neo4j:// is taken for bolt://.
func Dial(ctx context.Context, address string, login Login) (*Client, error) {
	target, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	conn, err := dialURL(ctx, target)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	r := newClient(conn)
	if err := r.introduce(login); err != nil {
		conn.Close()
		return nil, err
	}
	return r, nil
}

func dialURL(ctx context.Context, target *url.URL) (net.Conn, error) {
	const defaultPort = "7687"
	host := net.JoinHostPort(target.Hostname(), cmp.Or(target.Port(), defaultPort))
	switch target.Scheme {
	case "bolt", "neo4j":
		return (&net.Dialer{Timeout: 30 * time.Second}).DialContext(ctx, "tcp", host)
	case "bolt+s", "neo4j+s", "bolt+ssc", "neo4j+ssc":
		anyCertificate := target.Scheme == "bolt+ssc" || target.Scheme == "neo4j+ssc"
		return (&tls.Dialer{Config: &tls.Config{InsecureSkipVerify: anyCertificate}}).DialContext(ctx, "tcp", host)
	}
	return nil, fmt.Errorf("%q is no address of a server: write bolt://host:port or bolt+s://host:port", target)
}

// introduce agrees on version 5.4 and logs in.
func (c *Client) introduce(login Login) error {
	hello := binary.BigEndian.AppendUint32(nil, handshake.Magic)
	hello = append(hello, 0, 0, 4, 5)
	if _, err := c.conn.Write(append(hello, make([]byte, 12)...)); err != nil {
		return err
	}
	var chosen [4]byte
	if _, err := io.ReadFull(c.conn, chosen[:]); err != nil {
		return err
	}
	if chosen != [4]byte{0, 0, 4, 5} {
		return fmt.Errorf("the server does not speak Bolt 5.4, but answers %x", chosen)
	}
	credentials := []value.Entry{message.Text("scheme", "none")}
	if login.User != "" {
		credentials = []value.Entry{message.Text("scheme", "basic"), message.Text("principal", login.User),
			message.Text("credentials", login.Password)}
	}
	for _, m := range []outgoing{
		{message.TagHello, value.OfEntries([]value.Entry{message.Text("user_agent", "penstock")})},
		{message.TagLogon, value.OfEntries(credentials)},
	} {
		if _, err := c.ask(context.Background(), m.tag, m.field); err != nil {
			return err
		}
	}
	return nil
}

type outgoing struct {
	tag   byte
	field value.Value
}
