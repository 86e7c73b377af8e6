package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/server/backend"
)

// fake is a database of which each statement has two rows, unless it is WRONG. It counts what was
// carried out.
type fake struct{ statements, commits int }

func (f *fake) Begin(context.Context, string, backend.Access) (backend.Transaction, error) {
	return f, nil
}

func (f *fake) Run(ctx context.Context, text string, _ map[string]value.Value) (backend.Result, error) {
	if text == "WRONG" {
		return nil, &fault.Error{Kind: fault.SyntaxError, Message: "wrong"}
	}
	f.statements++
	return &backend.Table{Rows: [][]value.Value{{}, {}}}, nil
}

func (f *fake) Commit(context.Context) (string, error) {
	f.commits++
	return "", nil
}

func (f *fake) Rollback() {}

// database is a fake with statements in transactions of their own.
type own struct{ *fake }

func (o own) Run(ctx context.Context, _ string, _ backend.Access, text string,
	params map[string]value.Value) (backend.Result, error) {
	return o.fake.Run(ctx, text, params)
}

type onlyAnn struct{}

func (onlyAnn) Authenticate(_ context.Context, _, user, _ string) (string, error) {
	if user == "ann" {
		return user, nil
	}
	return "", errors.New("wrong")
}

// auditor writes to a file of the test's; what it cannot write it logs to the buffer.
func auditor(t *testing.T) (a *Auditor, file string, log *bytes.Buffer) {
	t.Helper()
	file, log = filepath.Join(t.TempDir(), "audit"), &bytes.Buffer{}
	l, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return &Auditor{Log: l, Logger: slog.New(slog.NewTextHandler(log, nil))}, file, log
}

func called(t *testing.T) context.Context {
	return backend.WithCaller(t.Context(), backend.Caller{User: "ann",
		Address: &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 7}, Connection: "bolt-1"})
}

// drain reads a result to its end.
func drain(r backend.Result, err error) error {
	if err != nil {
		return err
	}
	for r.Next() {
	}
	return r.Close()
}

func entries(t *testing.T, file string) (all []Entry) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var e Entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		all = append(all, e)
	}
	return all
}

func TestAuditor_Records(t *testing.T) {
	a, file, _ := auditor(t)
	ctx := called(t)
	db := a.Database(own{&fake{}})
	tx, err := db.Begin(ctx, "g", backend.Read)
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("é", maxText)
	if err := errors.Join(drain(db.Run(ctx, "g", backend.Write, "RETURN 1", nil)),
		drain(tx.Run(ctx, long, nil))); err != nil {
		t.Fatal(err)
	}
	if drain(tx.Run(ctx, "WRONG", nil)) == nil {
		t.Error("wrong")
	}
	if _, err := tx.Commit(ctx); err != nil {
		t.Error(err)
	}
	a.Hashes = true
	if err := drain(db.Run(ctx, "g", backend.Write, "RETURN 1", nil)); err != nil {
		t.Error(err)
	}
	if _, err := a.Authenticator(onlyAnn{}).Authenticate(ctx, "basic", strings.Repeat("x", 1000), "p"); err == nil {
		t.Error("let in")
	}
	var got []string
	for _, e := range entries(t, file) {
		rows := ""
		if e.Rows != nil {
			rows = string(rune('0' + *e.Rows))
		}
		if e.Address != "192.0.2.1:7" || e.Connection != "bolt-1" || e.Time.IsZero() ||
			(e.Event == "result") != (e.Millis != nil) || len(e.Statement) > maxText+len("…") || len(e.User) > maxName+len("…") {
			t.Errorf("%+v", e)
		}
		got = append(got, strings.Join([]string{e.Event, e.Graph, e.Access, rows, e.Outcome}, " "))
	}
	want := []string{
		"statement g write  ", "result g write 2 ok", "statement g read  ", "result g read 2 ok", "statement g read  ",
		"result g read 0 Neo.ClientError.Statement.SyntaxError",
		"commit g read  ", "statement g write  ", "result g write 2 ok", "login    Neo.ClientError.Security.Unauthorized",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
	hashed := entries(t, file)[7]
	if hashed.Statement != "" || len(hashed.Hash) != 64 || hashed.Bytes != len("RETURN 1") {
		t.Errorf("%+v", hashed)
	}
}

// full is a file to which nothing can be written.
func full(t *testing.T) *os.File {
	t.Helper()
	f, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("needs /dev/full, a file to which nothing can be written, which Linux has: ", err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// What cannot be recorded is not done, and the server's log says why.
func TestAuditor_FailsClosed(t *testing.T) {
	a, file, log := auditor(t)
	ctx := called(t)
	f := &fake{}
	db := a.Database(own{f})
	tx, err := db.Begin(ctx, "g", backend.Write)
	if err != nil {
		t.Fatal(err)
	}
	open, err := db.Run(ctx, "g", backend.Write, "RETURN 1", nil)
	if err != nil {
		t.Fatal(err)
	}
	good := a.Log.file
	a.Log.file = full(t)
	refused := func(what string, err error) {
		t.Helper()
		var failed *Error
		if !errors.As(err, &failed) || !errors.Is(err, syscall.ENOSPC) ||
			!strings.Contains(log.String(), "cannot be written") {
			t.Errorf("%s: %v, log: %s", what, err, log)
		}
		log.Reset()
	}
	refused("statement", drain(db.Run(ctx, "g", backend.Read, "RETURN 1", nil)))
	refused("statement of a transaction", drain(tx.Run(ctx, "RETURN 1", nil)))
	_, err = tx.Commit(ctx)
	refused("commit", err)
	_, err = a.Authenticator(onlyAnn{}).Authenticate(ctx, "basic", "ann", "p")
	refused("login", err)
	refused("result", drain(open, nil))
	if f.statements != 1 || f.commits != 0 {
		t.Errorf("%d statements and %d commits were carried out", f.statements, f.commits)
	}
	a.Log.file = good // there is space again
	if err := drain(db.Run(ctx, "g", backend.Read, "RETURN 1", nil)); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(file)
	if err != nil || strings.Count(string(text), "\n") != 1+1+2 { // one is empty: the line before may have been torn
		t.Errorf("%v\n%s", err, text)
	}
}

func TestLog_Open(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit")
	if err := os.WriteFile(file, []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	if _, err := Open("/dev/null"); err == nil {
		t.Error("/dev/null keeps nothing")
	}
	// Lines are whole, whoever writes and reopens meanwhile, and none is lost.
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			for range 100 {
				if err := l.Record(Entry{Event: "statement", Statement: strings.Repeat("x", 1000)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range 20 {
		if i == 10 {
			if err := os.Rename(file, file+".1"); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.Reopen(); err != nil {
			t.Fatal(err)
		}
	}
	writers.Wait()
	if n := len(entries(t, file)) + len(entries(t, file+".1")); n != 401 {
		t.Errorf("%d lines", n)
	}
	if err := errors.Join(os.RemoveAll(file), os.Mkdir(file, 0o700)); err != nil {
		t.Fatal(err)
	}
	if l.Reopen() == nil {
		t.Error("a directory was opened")
	}
	if err := l.Record(Entry{}); err != nil {
		t.Error("after a reopen that failed nothing is recorded: ", err)
	}
}
