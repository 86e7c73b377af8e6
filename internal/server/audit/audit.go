package audit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/admin"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/status"
)

// Auditor records what passes through the parts of a server that it stands before.
type Auditor struct {
	Log    *Log
	Hashes bool         // statements are recorded by their hashes alone
	Logger *slog.Logger // hears when a line cannot be written
}

// maxText is how much of a statement is recorded; names of users that did not log in likewise.
const (
	maxText = 16 << 10
	maxName = 64
)

// record writes a line, or tells the server's log why it could not.
func (a *Auditor) record(ctx context.Context, e Entry) error {
	caller := backend.CallerOf(ctx)
	if e.User == "" {
		e.User = caller.User
	}
	if e.Connection = caller.Connection; caller.Address != nil {
		e.Address = caller.Address.String()
	}
	err := a.Log.Record(e)
	if err != nil {
		a.Logger.Error("the audit log cannot be written", "event", e.Event, "user", e.User, "error", errors.Unwrap(err))
	}
	return err
}

func outcome(ctx context.Context, err error) string {
	if err == nil {
		return "ok"
	}
	return status.CodeOf(ctx, err)
}

// Authenticator records logins, those that fail too.
func (a *Auditor) Authenticator(inner backend.Authenticator) backend.Authenticator {
	return authenticator{inner, a}
}

type authenticator struct {
	backend.Authenticator
	auditor *Auditor
}

func (a authenticator) Authenticate(ctx context.Context, scheme, user, password string) (string, error) {
	name, err := a.Authenticator.Authenticate(ctx, scheme, user, password)
	e := Entry{Event: "login", User: name, Outcome: outcome(ctx, status.Refusal(ctx, err))}
	if err != nil {
		e.User = admin.Redact(user, maxName)
	}
	if failed := a.auditor.record(ctx, e); failed != nil {
		return "", failed
	}
	return name, err
}

// Command records statements that are about the server.
func (a *Auditor) Command(inner backend.Command) backend.Command { return command{inner, a} }

type command struct {
	backend.Command
	auditor *Auditor
}

func (c command) Run(ctx context.Context, text string, params map[string]value.Value) (backend.Result, error) {
	return c.auditor.statement(ctx, "", "admin", text,
		func() (backend.Result, error) { return c.Command.Run(ctx, text, params) })
}

// Database records statements and commits.
func (a *Auditor) Database(inner backend.Database) backend.Database { return database{inner, a} }

type database struct {
	backend.Database
	auditor *Auditor
}

func (d database) Begin(ctx context.Context, graph string, access backend.Access) (backend.Transaction, error) {
	tx, err := d.Database.Begin(ctx, graph, access)
	if err != nil {
		e := Entry{Event: "begin", Graph: graph, Access: accessName(access), Outcome: outcome(ctx, err)}
		_ = d.auditor.record(ctx, e) // nothing has begun; the server's log hears of it
		return nil, err
	}
	return transaction{tx, d.auditor, graph, accessName(access)}, nil
}

func (d database) Run(ctx context.Context, graph string, access backend.Access, text string,
	params map[string]value.Value) (backend.Result, error) {
	return d.auditor.statement(ctx, graph, accessName(access), text, func() (backend.Result, error) {
		return d.Database.Run(ctx, graph, access, text, params)
	})
}

func accessName(access backend.Access) string {
	if access == backend.Read {
		return "read"
	}
	return "write"
}

type transaction struct {
	backend.Transaction
	auditor       *Auditor
	graph, access string
}

func (t transaction) Run(ctx context.Context, text string, params map[string]value.Value) (backend.Result, error) {
	return t.auditor.statement(ctx, t.graph, t.access, text,
		func() (backend.Result, error) { return t.Transaction.Run(ctx, text, params) })
}

// Commit is recorded before it is made, as everything is. One that fails has a second line.
func (t transaction) Commit(ctx context.Context) (string, error) {
	e := Entry{Event: "commit", Graph: t.graph, Access: t.access}
	if err := t.auditor.record(ctx, e); err != nil {
		return "", err
	}
	bookmark, err := t.Transaction.Commit(ctx)
	if err == nil {
		return bookmark, nil
	}
	e.Outcome = outcome(ctx, err)
	_ = t.auditor.record(ctx, e) // the client hears why the commit failed, the server's log of this
	return "", err
}

// statement records one before it runs, and its result.
func (a *Auditor) statement(ctx context.Context, graph, access, text string,
	run func() (backend.Result, error)) (backend.Result, error) {
	e := Entry{Event: "statement", Graph: graph, Access: access, Number: a.Log.next(), Bytes: len(text)}
	if a.Hashes {
		sum := sha256.Sum256([]byte(text))
		e.Hash = hex.EncodeToString(sum[:])
	} else {
		e.Statement = admin.Redact(text, maxText)
	}
	if err := a.record(ctx, e); err != nil {
		return nil, err
	}
	r := &result{auditor: a, ctx: ctx, entry: e, began: time.Now()}
	inner, err := run()
	if inner == nil || err != nil {
		if failed := r.end(err); failed != nil && err == nil {
			err = failed
		}
		return nil, err
	}
	r.Result = inner
	return r, nil
}

// result counts rows, and records the end.
type result struct {
	backend.Result
	auditor *Auditor
	ctx     context.Context
	entry   Entry
	began   time.Time
	rows    int64
	failed  string // the outcome, if the rows ended by an error
	ended   bool
}

// Next notes an error at once: what ends the session because of it changes what the context says.
func (r *result) Next() bool {
	if r.Result.Next() {
		r.rows++
		return true
	}
	if err := r.Err(); err != nil && r.failed == "" {
		r.failed = outcome(r.ctx, err)
	}
	return false
}

// Close ends the statement. An error of its own goes before one of recording.
func (r *result) Close() error {
	err := r.Result.Close()
	if err == nil {
		err = r.Err()
	}
	if failed := r.end(err); err == nil {
		err = failed
	}
	return err
}

func (r *result) end(err error) error {
	if r.ended {
		return nil
	}
	r.ended = true
	took := float64(time.Since(r.began).Microseconds()) / 1000
	e := r.entry
	e.Event, e.Rows, e.Millis, e.Outcome = "result", &r.rows, &took, r.failed
	if e.Outcome == "" {
		e.Outcome = outcome(r.ctx, err)
	}
	return r.auditor.record(r.ctx, e)
}
