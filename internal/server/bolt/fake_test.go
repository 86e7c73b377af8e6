package bolt

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

// fake is a database that understands a few statements:
//
//	RETURN $x        one row
//	COUNT n          the rows 0 to n-1
//	HANG             no row until its context is done
//	CREATE           adds one to the committed number at the end of its transaction
//	CONFLICT         a fault that goes away when tried again
//	PANIC            a mistake in the engine
type fake struct {
	open    atomic.Int64 // results and transactions that are not closed
	entered chan string  // a statement hangs

	mu      sync.Mutex // for created
	created int
}

func newFake() *fake { return &fake{entered: make(chan string, 100)} }

func (f *fake) Begin(ctx context.Context, graph string, access backend.Access) (backend.Transaction, error) {
	if graph == "none" {
		return nil, status.Errorf("Neo.ClientError.Database.DatabaseNotFound", "there is no graph %q", graph)
	}
	f.open.Add(1)
	return &fakeTransaction{fake: f, read: access == backend.Read}, nil
}

func (f *fake) Run(ctx context.Context, graph string, access backend.Access, text string, params map[string]value.Value) (backend.Result, error) {
	tx, err := f.Begin(ctx, graph, access)
	if err != nil {
		return nil, err
	}
	result, err := tx.Run(ctx, text, params)
	if err != nil {
		tx.Rollback()
		return nil, err
	}
	return &fakeOwnResult{Result: result, ctx: ctx, tx: tx}, nil
}

// fakeOwnResult commits when it is closed.
type fakeOwnResult struct {
	backend.Result
	ctx      context.Context
	tx       backend.Transaction
	bookmark string
}

func (r *fakeOwnResult) Close() (err error) {
	if err = errors.Join(r.Result.Close(), r.ctx.Err(), r.Err()); err == nil {
		r.bookmark, err = r.tx.Commit(r.ctx)
	}
	r.tx.Rollback()
	return err
}

func (r *fakeOwnResult) Summary() backend.Summary {
	summary := r.Result.Summary()
	summary.Bookmark = r.bookmark
	return summary
}

type fakeTransaction struct {
	last    *fakeResult
	fake    *fake
	read    bool
	done    bool
	created int
}

var statement = regexp.MustCompile(`^(RETURN \$x|COUNT (\d+)|HANG|CREATE|CONFLICT|PANIC)$`)

func (t *fakeTransaction) Run(ctx context.Context, text string, params map[string]value.Value) (backend.Result, error) {
	word, argument, _ := strings.Cut(text, " ")
	result := &fakeResult{ctx: ctx, fake: t.fake, column: "x", kind: "r"}
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
	t.fake.open.Add(1)
	return result, nil
}

func (t *fakeTransaction) Commit(ctx context.Context) (string, error) {
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

func (t *fakeTransaction) Rollback() { t.end() }

func (t *fakeTransaction) end() {
	if !t.done {
		t.done = true
		t.fake.open.Add(-1)
	}
}

func (f *fake) committed() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.created
}

type fakeResult struct {
	ctx      context.Context
	fake     *fake
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

func (r *fakeResult) Columns() []string { return []string{r.column} }

func (r *fakeResult) Next() bool {
	if r.panics {
		panic("as asked for")
	}
	if r.hangs {
		r.fake.entered <- "HANG"
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

func (r *fakeResult) Row() []value.Value {
	r.values[0] = r.row
	return r.values[:]
}

func (r *fakeResult) Err() error { return r.err }

func (r *fakeResult) Close() error {
	if !r.closed {
		r.closed = true
		r.fake.open.Add(-1)
	}
	return nil
}

func (r *fakeResult) Summary() backend.Summary {
	return backend.Summary{Type: r.kind, Counters: backend.Counters{NodesCreated: r.created}}
}
