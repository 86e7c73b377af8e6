package bolt

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/fake"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/handshake"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/message"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/wire"
	"github.com/penstock-db/penstock/internal/server/bolt/packstream"
)

// client speaks Bolt one message at a time.
type client struct {
	net.Conn
	t       testing.TB
	dialect packstream.Dialect
}

// serve starts a server for the time of the test and returns its address. When the test ends,
// nothing may be left open.
func serve(t testing.TB, db *fake.Database, options Options) string {
	t.Helper()
	address, stop := start(t, db, options)
	t.Cleanup(stop)
	return address
}

func start(t testing.TB, db *fake.Database, options Options) (address string, stop func()) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	server := NewServer(db, options)
	go func() { done <- server.Serve(ctx, listener) }()
	return listener.Addr().String(), func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if n := db.Open.Load(); n != 0 {
			t.Errorf("%d results or transactions were left open", n)
		}
		if held, leaked := server.options.Memory.Held(), server.sessions.Leaked.Load(); held != 0 || leaked != 0 {
			t.Errorf("%d bytes of memory are left, and %d were not given back by sessions", held, leaked)
		}
	}
}

func dial(t testing.TB, address string) *client {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	return &client{Conn: conn, t: t, dialect: packstream.Dialect{ElementIDs: true, UTC: true}}
}

// propose returns the version that the server chose.
func (c *client) propose(proposals ...uint32) uint32 {
	c.t.Helper()
	hello := binary.BigEndian.AppendUint32(nil, handshake.Magic)
	for _, p := range append(proposals, make([]uint32, 4-len(proposals))...) {
		hello = binary.BigEndian.AppendUint32(hello, p)
	}
	c.write(hello)
	var answer [4]byte
	if _, err := io.ReadFull(c, answer[:]); err != nil {
		c.t.Fatal(err)
	}
	return binary.BigEndian.Uint32(answer[:])
}

func (c *client) write(b []byte) {
	c.t.Helper()
	if _, err := c.Write(b); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) send(tag byte, fields ...value.Value) {
	c.t.Helper()
	c.write(framed(c.dialect.AppendStruct(nil, tag, fields...)))
}

func framed(message []byte) []byte {
	var out []byte
	for len(message) > 0 {
		n := min(len(message), math.MaxUint16)
		out = append(binary.BigEndian.AppendUint16(out, uint16(n)), message[:n]...)
		message = message[n:]
	}
	return append(out, 0, 0)
}

// receive is the next message that is no noop.
func (c *client) receive() (tag byte, field value.Value) {
	c.t.Helper()
	tag, field, err := c.next()
	if err != nil {
		c.t.Fatal(err)
	}
	return tag, field
}

func (c *client) next() (tag byte, field value.Value, err error) {
	f := wire.NewReader(singleBytes{c}, math.MaxInt, nil)
	message, err := f.Next(context.Background())
	if err != nil {
		return 0, field, err
	}
	d := packstream.NewDecoder(message, math.MaxInt)
	tag, fields, err := d.Structure()
	if err == nil && fields == 1 {
		field, err = d.Value()
	}
	return tag, field, errors.Join(err, d.End())
}

// singleBytes keeps a reader from reading ahead.
type singleBytes struct{ io.Reader }

func (s singleBytes) Read(p []byte) (int, error) { return s.Reader.Read(p[:min(1, len(p))]) }

func (c *client) succeeds() value.Value {
	c.t.Helper()
	tag, meta := c.receive()
	if tag != message.TagSuccess {
		c.t.Fatalf("%#x, not SUCCESS: %s", tag, c.tell(meta))
	}
	return meta
}

func (c *client) fails(code string) {
	c.t.Helper()
	tag, meta := c.receive()
	if tag != message.TagFailure || !strings.Contains(message.TextOf(meta, "code"), code) {
		c.t.Fatalf("%#x, not FAILURE with %s: %s", tag, code, c.tell(meta))
	}
}

func (c *client) isIgnored() {
	c.t.Helper()
	if tag, meta := c.receive(); tag != message.TagIgnored {
		c.t.Fatalf("%#x, not IGNORED: %s", tag, c.tell(meta))
	}
}

func (c *client) tell(meta value.Value) string {
	if meta.Kind() != value.Map {
		return meta.Kind().String()
	}
	return message.TextOf(meta, "code") + " " + message.TextOf(meta, "message")
}

// counts reads the records from, from+1 … up to to.
func (c *client) counts(from, to int64) {
	c.t.Helper()
	for i := from; i < to; i++ {
		tag, row := c.receive()
		if tag != message.TagRecord || row.List()[0].Int() != i {
			c.t.Fatalf("%#x instead of record %d", tag, i)
		}
	}
}

// isClosed reads until the connection's end, for which nothing but the server may be the reason.
func (c *client) isClosed() {
	c.t.Helper()
	for {
		_, _, err := c.next()
		var timeout net.Error
		if errors.As(err, &timeout) && timeout.Timeout() {
			c.t.Fatal("the connection is still open")
		}
		if err != nil {
			return
		}
	}
}

var none = value.OfEntries(nil)

func fields(entries ...value.Entry) value.Value { return value.OfEntries(entries) }

func (c *client) login() *client {
	c.t.Helper()
	if v := c.propose(0x00040405); v != 0x0405 {
		c.t.Fatalf("version %#x", v)
	}
	c.send(message.TagHello, fields(message.Text("user_agent", "test")))
	c.succeeds()
	c.send(message.TagLogon, fields(message.Text("scheme", "none")))
	c.succeeds()
	return c
}

func (c *client) sendRun(statement string, params ...value.Entry) {
	c.t.Helper()
	c.send(message.TagRun, value.OfString(statement), fields(params...), none)
}

func (c *client) run(statement string, params ...value.Entry) value.Value {
	c.t.Helper()
	c.sendRun(statement, params...)
	return c.succeeds()
}

func (c *client) pull(n int64) {
	c.t.Helper()
	c.send(message.TagPull, fields(message.Integer("n", n)))
}

func eventually(t testing.TB, condition func() bool) {
	t.Helper()
	for range 3000 {
		if condition() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("it never came to that")
}
