package bolt

import (
	"bytes"
	"errors"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/fake"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/message"
	"github.com/penstock-db/penstock/internal/server/bolt/packstream"
)

// FuzzSession: whatever a client sends, the server neither panics nor leaves anything open.
func FuzzSession(f *testing.F) {
	encode := func(tag byte, fields ...value.Value) []byte {
		return framed(packstream.Dialect{}.AppendStruct(nil, tag, fields...))
	}
	hello, logon := encode(message.TagHello, none), encode(message.TagLogon, none)
	run := encode(message.TagRun, value.OfString("COUNT 3"), none, none)
	pull := encode(message.TagPull, fields(message.Integer("n", -1)))
	f.Add(bytes.Join([][]byte{hello, logon, run, pull, encode(message.TagGoodbye)}, nil))
	f.Add(bytes.Join([][]byte{hello, logon, encode(message.TagBegin, none), run, run, pull, encode(message.TagCommit)},
		nil))
	f.Add(bytes.Join([][]byte{hello, logon, run, encode(message.TagReset),
		encode(message.TagRoute, none, value.OfList(nil), none), encode(message.TagLogoff)}, nil))
	f.Fuzz(func(t *testing.T, src []byte) {
		db := fake.New()
		server := NewServer(db, Options{Limits: Limits{MessageSize: 1 << 16, Memory: 1 << 20, Login: time.Second,
			Idle: time.Second}})
		ours, theirs := net.Pipe()
		go func() {
			_, _ = theirs.Write(append([]byte{0x60, 0x60, 0xB0, 0x17, 0, 4, 4, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, src...))
			theirs.Close()
		}()
		go func() { _, _ = io.Copy(io.Discard, theirs) }()
		if err := server.Serve(t.Context(), newOneConnection(ours)); !errors.Is(err, net.ErrClosed) {
			t.Fatal(err)
		}
		if n := db.Open.Load(); n != 0 {
			t.Fatalf("%d results or transactions were left open", n)
		}
	})
}

// oneConnection is a listener to which one client connects. It is closed when the connection is.
type oneConnection struct {
	net.Conn
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newOneConnection(conn net.Conn) *oneConnection {
	l := &oneConnection{Conn: conn, conns: make(chan net.Conn, 1), closed: make(chan struct{})}
	l.conns <- l
	return l
}

func (l *oneConnection) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conns:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *oneConnection) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Conn.Close()
}

func (l *oneConnection) Addr() net.Addr { return l.LocalAddr() }
