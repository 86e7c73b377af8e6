// Package fake is a database for tests of the server and its client.
package fake

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/status"
)

// Database is a database that understands a few statements:
//
//	RETURN $x        one row
//	COUNT n          the rows 0 to n-1
//	HANG             no row until its context is done
//	CREATE           adds one to the committed number at the end of its transaction
//	CONFLICT         a fault that goes away when tried again
//	PANIC            a mistake in the engine
type Database struct {
	Open    atomic.Int64 // results and transactions that are not closed
	Entered chan string  // a statement hangs

	mu      sync.Mutex // for created
	created int
}

// New makes one in which nothing is committed.
func New() *Database { return &Database{Entered: make(chan string, 100)} }

func (f *Database) Begin(ctx context.Context, graph string, access backend.Access) (backend.Transaction, error) {
	if graph == "none" {
		return nil, status.Errorf("Neo.ClientError.Database.DatabaseNotFound", "there is no graph %q", graph)
	}
	f.Open.Add(1)
	return &transaction{fake: f, read: access == backend.Read}, nil
}

func (f *Database) Run(ctx context.Context, graph string, access backend.Access, text string,
	params map[string]value.Value) (backend.Result, error) {
	tx, err := f.Begin(ctx, graph, access)
	if err != nil {
		return nil, err
	}
	result, err := tx.Run(ctx, text, params)
	if err != nil {
		tx.Rollback()
		return nil, err
	}
	return &ownResult{Result: result, ctx: ctx, tx: tx}, nil
}

// ownResult commits when it is closed.
type ownResult struct {
	backend.Result
	ctx      context.Context
	tx       backend.Transaction
	bookmark string
}

func (r *ownResult) Close() (err error) {
	if err = errors.Join(r.Result.Close(), r.ctx.Err(), r.Err()); err == nil {
		r.bookmark, err = r.tx.Commit(r.ctx)
	}
	r.tx.Rollback()
	return err
}

func (r *ownResult) Summary() backend.Summary {
	summary := r.Result.Summary()
	summary.Bookmark = r.bookmark
	return summary
}

type transaction struct {
	last    *result
	fake    *Database
	read    bool
	done    bool
	created int
}

var statement = regexp.MustCompile(`^(RETURN \$x|COUNT (\d+)|HANG|CREATE|CONFLICT|PANIC)$`)

func (t *transaction) Run(ctx context.Context, text string, params map[string]value.Value) (backend.Result, error) {
	word, argument, _ := strings.Cut(text, " ")
	result := &result{ctx: ctx, fake: t.fake, column: "x", kind: "r"}
	switch {
	case !statement.MatchString(text):
		return nil, &fault.Error{Kind: fault.SyntaxError, Message: fmt.Sprintf("Invalid input '%s'", text)}
	case word == "RETURN":
		result.rows, result.row = 1, params["x"]
	case word == "COUNT":
		result.rows, _ = strconv.ParseInt(argument, 10, 64)
		result.counting = true
	case word == "HANG":
		result.hangs = true
	case word == "CREATE" && t.read:
		return nil, status.Errorf("Neo.ClientError.Statement.AccessMode", "this transaction only reads")
	case word == "CREATE":
		t.created++
		result.kind, result.created = "rw", 1
	case word == "CONFLICT":
		return nil, fault.Met(fault.Conflict, "", "another transaction was first")
	default:
		result.panics = true
	}
	if t.last != nil && !t.last.closed && t.last.Next() {
		panic("an earlier result was not read to its end")
	}
	t.last = result
	t.fake.Open.Add(1)
	return result, nil
}

func (t *transaction) Commit(ctx context.Context) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if t.done {
		return "", errors.New("the transaction is over")
	}
	t.fake.mu.Lock()
	defer t.fake.mu.Unlock()
	t.fake.created += t.created
	t.end()
	return fmt.Sprintf("fake:%d", t.fake.created), nil
}

func (t *transaction) Rollback() { t.end() }

func (t *transaction) end() {
	if !t.done {
		t.done = true
		t.fake.Open.Add(-1)
	}
}

// Committed is how often CREATE was committed.
func (f *Database) Committed() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.created
}

type result struct {
	ctx      context.Context
	fake     *Database
	column   string
	kind     string
	rows, at int64
	row      value.Value
	values   [1]value.Value
	counting bool
	hangs    bool
	panics   bool
	closed   bool
	created  int64
	err      error
}

func (r *result) Columns() []string { return []string{r.column} }

func (r *result) Next() bool {
	if r.panics {
		panic("as asked for")
	}
	if r.hangs {
		r.fake.Entered <- "HANG"
		<-r.ctx.Done()
	}
	if r.err = r.ctx.Err(); r.err != nil || r.at == r.rows {
		return false
	}
	if r.counting {
		r.row = value.OfInt(r.at)
	}
	r.at++
	return true
}

func (r *result) Row() []value.Value {
	r.values[0] = r.row
	return r.values[:]
}

func (r *result) Err() error { return r.err }

func (r *result) Close() error {
	if !r.closed {
		r.closed = true
		r.fake.Open.Add(-1)
	}
	return nil
}

func (r *result) Summary() backend.Summary {
	return backend.Summary{Type: r.kind, Counters: backend.Counters{NodesCreated: r.created}}
}
