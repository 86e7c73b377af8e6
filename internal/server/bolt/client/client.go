package client

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"sync"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/handshake"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/message"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/wire"
	"github.com/penstock-db/penstock/internal/server/bolt/packstream"
	"github.com/penstock-db/penstock/internal/server/status"
)

// Client is a database behind a connection. It does one thing at a time: a transaction, or a
// statement that is one.
type Client struct {
	conn   net.Conn
	frames *wire.Reader
	open   *transaction // nil: none

	mu     sync.Mutex // for all below, which a canceled context uses, too
	resets int        // sent and not answered
}

func newClient(conn net.Conn) *Client {
	return &Client{conn: conn, frames: wire.NewReader(conn, math.MaxInt, nil)}
}

var dialect = handshake.Version{Major: 5, Minor: 4}.Dialect()

// Close ends the connection.
func (c *Client) Close() error {
	_ = c.send(message.TagGoodbye)
	return c.conn.Close()
}

// Begin begins a transaction.
func (c *Client) Begin(ctx context.Context, graph string, access backend.Access) (backend.Transaction, error) {
	if _, err := c.ask(ctx, message.TagBegin, extra(graph, access)); err != nil {
		return nil, err
	}
	c.open = &transaction{client: c}
	return c.open, nil
}

// Run runs a statement as a transaction of its own.
func (c *Client) Run(ctx context.Context, graph string, access backend.Access, text string,
	params map[string]value.Value) (backend.Result, error) {
	return c.run(ctx, text, params, extra(graph, access))
}

func (c *Client) run(ctx context.Context, text string, params map[string]value.Value,
	extra value.Value) (backend.Result, error) {
	meta, err := c.ask(ctx, message.TagRun, value.OfString(text), value.OfMap(params), extra)
	if err != nil {
		return nil, err
	}
	return &result{client: c, ctx: ctx, columns: message.StringsOf(message.At(meta, "fields")), more: true}, nil
}

func extra(graph string, access backend.Access) value.Value {
	var entries []value.Entry
	if graph != "" {
		entries = append(entries, message.Text("db", graph))
	}
	if access == backend.Read {
		entries = append(entries, message.Text("mode", "r"))
	}
	return value.OfEntries(entries)
}

// transaction is one on the server. A failure within it ends it.
type transaction struct{ client *Client }

func (t *transaction) Run(ctx context.Context, text string, params map[string]value.Value) (backend.Result, error) {
	if err := t.over(); err != nil {
		return nil, err
	}
	return t.client.run(ctx, text, params, value.OfEntries(nil))
}

func (t *transaction) Commit(ctx context.Context) (string, error) {
	if err := t.over(); err != nil {
		return "", err
	}
	meta, err := t.client.ask(ctx, message.TagCommit)
	t.client.open = nil
	return message.TextOf(meta, "bookmark"), err
}

// Rollback fails only with the connection.
func (t *transaction) Rollback() {
	if t.over() == nil {
		_, _ = t.client.ask(context.Background(), message.TagRollback)
		t.client.open = nil
	}
}

func (t *transaction) over() error {
	if t.client.open == t {
		return nil
	}
	return errors.New("the transaction is over: after a failure it was rolled back")
}

// ask sends a request and waits for its answer. A context that ends has the server interrupted.
func (c *Client) ask(ctx context.Context, tag byte, fields ...value.Value) (value.Value, error) {
	if err := c.send(tag, fields...); err != nil {
		return value.Value{}, err
	}
	answer, meta, err := c.receive(ctx)
	if err == nil && answer == message.TagRecord {
		err = fmt.Errorf("the server sends rows that were not asked for")
	}
	return meta, err
}

// receive is the next message: a record, a SUCCESS, or else an error.
func (c *Client) receive(ctx context.Context) (tag byte, field value.Value, err error) {
	done := c.interruptAfter(ctx)
	tag, field, err = c.next()
	done()
	switch {
	case err != nil, tag == message.TagRecord, tag == message.TagSuccess && ctx.Err() == nil:
		return tag, field, err
	case tag == message.TagFailure:
		err = &status.Error{Status: message.TextOf(field, "code"), Message: message.TextOf(field, "message")}
	default:
		err = errors.New("the request was ignored")
	}
	c.recover()
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return tag, field, err
}

// interruptAfter interrupts the server when the context ends, before what it returns is called.
func (c *Client) interruptAfter(ctx context.Context) (done func()) {
	interrupted := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		c.interrupt()
		close(interrupted)
	})
	return func() {
		if !stop() {
			<-interrupted
		}
	}
}

// interrupt has the server end what it does.
func (c *Client) interrupt() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.resets == 0 && c.write(message.TagReset) == nil {
		c.resets++
	}
}

// recover makes the session as new after a failure. When that fails, too, the next request does.
func (c *Client) recover() {
	c.interrupt()
	c.open = nil
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.resets > 0 {
		tag, _, err := c.next()
		if err != nil {
			return
		}
		if tag == message.TagSuccess {
			c.resets--
		}
	}
}

func (c *Client) send(tag byte, fields ...value.Value) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.write(tag, fields...)
}

func (c *Client) write(tag byte, fields ...value.Value) error {
	w := wire.NewWriter(c.conn, patience)
	w.Message(math.MaxInt, 0, func(dst []byte) []byte { return dialect.AppendStruct(dst, tag, fields...) })
	return lost(w.Flush())
}

// lost is the failure of a connection. It is no io.EOF, which would be the end of something.
func lost(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the connection to the server is lost, and with it the transaction that was open: %v", err)
}

// next reads a message.
func (c *Client) next() (tag byte, field value.Value, err error) {
	message, err := c.frames.Next(context.Background())
	if err != nil {
		return 0, field, lost(err)
	}
	d := packstream.NewDecoder(message, math.MaxInt)
	tag, fields, err := d.Structure()
	if err == nil && fields > 0 {
		field, err = d.Value()
	}
	return tag, field, err
}
