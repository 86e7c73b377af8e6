package bolt

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"sync"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/bolt/packstream"
	"github.com/penstock-db/penstock/internal/server/status"
)

// Remote is a database behind a connection. It does one thing at a time: a transaction, or a
// statement that is one.
type Remote struct {
	conn   net.Conn
	frames *frameReader
	open   *remoteTransaction // nil: none

	mu     sync.Mutex // for all below, which a canceled context uses, too
	resets int        // sent and not answered
}

func newRemote(conn net.Conn) *Remote {
	return &Remote{conn: conn, frames: newFrameReader(conn, math.MaxInt, nil)}
}

var remoteDialect = Version{5, 4}.dialect()

// Close says goodbye.
func (r *Remote) Close() error {
	_ = r.send(tagGoodbye)
	return r.conn.Close()
}

// Begin begins a transaction.
func (r *Remote) Begin(ctx context.Context, graph string, access backend.Access) (backend.Transaction, error) {
	if _, err := r.ask(ctx, tagBegin, extra(graph, access)); err != nil {
		return nil, err
	}
	r.open = &remoteTransaction{remote: r}
	return r.open, nil
}

// Run runs a statement as a transaction of its own.
func (r *Remote) Run(ctx context.Context, graph string, access backend.Access, text string, params map[string]value.Value) (backend.Result, error) {
	return r.run(ctx, text, params, extra(graph, access))
}

func (r *Remote) run(ctx context.Context, text string, params map[string]value.Value, extra value.Value) (backend.Result, error) {
	meta, err := r.ask(ctx, tagRun, value.OfString(text), value.OfMap(params), extra)
	if err != nil {
		return nil, err
	}
	return &remoteResult{remote: r, ctx: ctx, columns: stringsOf(at(meta, "fields")), more: true}, nil
}

func extra(graph string, access backend.Access) value.Value {
	var entries []value.Entry
	if graph != "" {
		entries = append(entries, text("db", graph))
	}
	if access == backend.Read {
		entries = append(entries, text("mode", "r"))
	}
	return value.OfEntries(entries)
}

// remoteTransaction is one on the server. A failure within it ends it.
type remoteTransaction struct{ remote *Remote }

func (t *remoteTransaction) Run(ctx context.Context, text string, params map[string]value.Value) (backend.Result, error) {
	if err := t.over(); err != nil {
		return nil, err
	}
	return t.remote.run(ctx, text, params, value.OfEntries(nil))
}

func (t *remoteTransaction) Commit(ctx context.Context) (string, error) {
	if err := t.over(); err != nil {
		return "", err
	}
	meta, err := t.remote.ask(ctx, tagCommit)
	t.remote.open = nil
	return textOf(meta, "bookmark"), err
}

// Rollback fails only with the connection.
func (t *remoteTransaction) Rollback() {
	if t.over() == nil {
		_, _ = t.remote.ask(context.Background(), tagRollback)
		t.remote.open = nil
	}
}

func (t *remoteTransaction) over() error {
	if t.remote.open == t {
		return nil
	}
	return errors.New("the transaction is over: after a failure it was rolled back")
}

// ask sends a request and waits for its answer. A context that ends has the server interrupted.
func (r *Remote) ask(ctx context.Context, tag byte, fields ...value.Value) (value.Value, error) {
	if err := r.send(tag, fields...); err != nil {
		return value.Value{}, err
	}
	answer, meta, err := r.receive(ctx)
	if err == nil && answer == tagRecord {
		err = fmt.Errorf("the server sends rows that nobody has asked for")
	}
	return meta, err
}

// receive is the next message: a record, a SUCCESS, or else an error.
func (r *Remote) receive(ctx context.Context) (tag byte, field value.Value, err error) {
	done := r.interruptAfter(ctx)
	tag, field, err = r.next()
	done()
	switch {
	case err != nil, tag == tagRecord, tag == tagSuccess && ctx.Err() == nil:
		return tag, field, err
	case tag == tagFailure:
		err = &status.Error{Status: textOf(field, "code"), Message: textOf(field, "message")}
	default:
		err = errors.New("the request was ignored")
	}
	r.recover()
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return tag, field, err
}

// interruptAfter interrupts the server when the context ends, before what it returns is called.
func (r *Remote) interruptAfter(ctx context.Context) (done func()) {
	interrupted := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		r.interrupt()
		close(interrupted)
	})
	return func() {
		if !stop() {
			<-interrupted
		}
	}
}

// interrupt has the server end what it does.
func (r *Remote) interrupt() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.resets == 0 && r.write(tagReset) == nil {
		r.resets++
	}
}

// recover makes the session as new after a failure. When that fails, too, the next request does.
func (r *Remote) recover() {
	r.interrupt()
	r.open = nil
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.resets > 0 {
		tag, _, err := r.next()
		if err != nil {
			return
		}
		if tag == tagSuccess {
			r.resets--
		}
	}
}

func (r *Remote) send(tag byte, fields ...value.Value) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.write(tag, fields...)
}

func (r *Remote) write(tag byte, fields ...value.Value) error {
	w := writer{conn: r.conn, patience: remotePatience}
	w.message(math.MaxInt, 0, func(dst []byte) []byte { return remoteDialect.AppendStruct(dst, tag, fields...) })
	return lost(w.flush())
}

// lost is the failure of a connection. It is no io.EOF, which would be the end of something.
func lost(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the connection to the server is lost, and with it the transaction that was open: %v", err)
}

// next reads a message.
func (r *Remote) next() (tag byte, field value.Value, err error) {
	message, err := r.frames.next(context.Background())
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
