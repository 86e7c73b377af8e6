package bolt

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/url"
	"time"

	"github.com/penstock-db/penstock/formats/value"
)

// Login is who wants to be let in; without a user, nobody in particular.
type Login struct{ User, Password string }

// Dial connects to a server at bolt://host:port, or by TLS at bolt+s:// (bolt+ssc:// believes
// any certificate); neo4j:// is taken for bolt://.
func Dial(ctx context.Context, address string, login Login) (*Remote, error) {
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
	r := newRemote(conn)
	if err := r.introduce(login); err != nil {
		conn.Close()
		return nil, err
	}
	return r, nil
}

func dialURL(ctx context.Context, target *url.URL) (net.Conn, error) {
	const defaultPort = "7687"
	host := net.JoinHostPort(target.Hostname(), orElse(target.Port(), defaultPort))
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
func (r *Remote) introduce(login Login) error {
	hello := binary.BigEndian.AppendUint32(nil, magic)
	hello = append(hello, 0, 0, 4, 5)
	if _, err := r.conn.Write(append(hello, make([]byte, 12)...)); err != nil {
		return err
	}
	var chosen [4]byte
	if _, err := io.ReadFull(r.conn, chosen[:]); err != nil {
		return err
	}
	if chosen != [4]byte{0, 0, 4, 5} {
		return fmt.Errorf("the server does not speak Bolt 5.4, but answers %x", chosen)
	}
	who := []value.Entry{text("scheme", "none")}
	if login.User != "" {
		who = []value.Entry{text("scheme", "basic"), text("principal", login.User), text("credentials", login.Password)}
	}
	for _, m := range []outgoing{
		{tagHello, value.OfEntries([]value.Entry{text("user_agent", "penstock")})},
		{tagLogon, value.OfEntries(who)},
	} {
		if _, err := r.ask(context.Background(), m.tag, m.field); err != nil {
			return err
		}
	}
	return nil
}

type outgoing struct {
	tag   byte
	field value.Value
}
