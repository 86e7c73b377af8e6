package transaction

import (
	"context"
	"math"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/connection"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/cursor"
	"github.com/penstock-db/penstock/internal/server/bolt/packstream"
	"github.com/penstock-db/penstock/internal/server/status"
	"github.com/penstock-db/penstock/internal/server/transactions"
)

// Transaction is an open transaction and the results of its statements, or the result of a statement that is a
// transaction of its own.
type Transaction struct {
	ctx      context.Context
	end      context.CancelCauseFunc
	engine   *Engine
	settings Settings
	listed   *transactions.Transaction
	explicit backend.Transaction // nil: the statement is the transaction
	cursors  map[int64]*cursor.Cursor
	last     int64 // the newest of them

	released bool // nothing is open any more
}

// Open makes a transaction that takes no longer than the client and the server allow. Held is the memory of its
// connection, for SHOW TRANSACTIONS.
func Open(ctx context.Context, e *Engine, from backend.Caller, s Settings, held func() int64) *Transaction {
	ctx, end := context.WithCancelCause(ctx)
	if timeout, whose := e.timeout(s); timeout > 0 {
		const format = "the transaction took longer than the %v that the %s gave it"
		late := status.Errorf(status.TimedOut, format, timeout, whose)
		timer := time.AfterFunc(timeout, func() { end(late) })
		context.AfterFunc(ctx, func() { timer.Stop() })
	}
	origin := transactions.Origin{
		Graph: s.Graph, Connection: from.Connection, Client: from.Address.String(), User: from.User,
	}
	return &Transaction{
		ctx: ctx, end: end, engine: e, settings: s, cursors: make(map[int64]*cursor.Cursor), last: -1,
		listed: e.Registry.Begin(origin, held, end),
	}
}

// Context is that of all that runs in the transaction.
func (t *Transaction) Context() context.Context { return t.ctx }

// Explicit tells whether the transaction has begun with Begin.
func (t *Transaction) Explicit() bool { return t.explicit != nil }

// Begin makes it a transaction of several statements.
func (t *Transaction) Begin() (err error) {
	t.explicit, err = t.engine.begin(t.ctx, t.settings)
	return err
}

// Run starts a statement. Its result has a number. The memory of its parameters becomes the result's.
func (t *Transaction) Run(statement string, params map[string]value.Value, charge *cursor.Charge, started time.Time) (
	id int64, columns []string, err error) {
	timer := t.endAfter(t.engine.Statement)
	t.listed.Run(t.engine.Shown(statement))
	result, err := t.start(statement, params)
	if err != nil {
		timer.Stop()
		return 0, nil, err
	}
	t.last++
	t.cursors[t.last] = &cursor.Cursor{Result: result, Started: started, Timer: timer, Params: charge.Move()}
	return t.last, result.Columns(), nil
}

func (t *Transaction) start(statement string, params map[string]value.Value) (backend.Result, error) {
	switch result, err := t.engine.command(t.ctx, statement, params); {
	case result != nil || err != nil:
		return result, err
	case t.explicit != nil:
		return t.explicit.Run(t.ctx, statement, params)
	default:
		return t.engine.Database.Run(t.ctx, t.settings.Graph, t.settings.Access, statement, params)
	}
}

// endAfter ends the transaction unless the timer is stopped before; 0: it has all the time.
func (t *Transaction) endAfter(timeout time.Duration) *time.Timer {
	if timeout == 0 {
		timeout = math.MaxInt64
	}
	late := status.Errorf(status.TimedOut, "the statement took longer than the %v that the server gives one", timeout)
	return time.AfterFunc(timeout, func() { t.end(late) })
}

// Find is the result of that number; -1: the newest.
func (t *Transaction) Find(id int64) (int64, *cursor.Cursor, error) {
	if id == -1 {
		id = t.last
	}
	if c, ok := t.cursors[id]; ok {
		return id, c, nil
	}
	return id, nil, status.Errorf(status.RequestInvalid, "there is no result %d, or it was at its end", id)
}

// Close ends a result of which all rows were taken. The metadata is its summary.
func (t *Transaction) Close(id int64) ([]value.Entry, error) {
	meta, err := t.cursors[id].Finish(t.settings.Graph)
	if err != nil {
		return nil, err
	}
	delete(t.cursors, id)
	if id == t.last {
		t.listed.Run("")
	}
	return meta, nil
}

// Err is why nothing more can be done; nil: it can.
func (t *Transaction) Err() error {
	if t.ctx.Err() == nil {
		return nil
	}
	return context.Cause(t.ctx)
}

// Buffer reads open results to their ends, so that another statement can run. All together they take at most so
// many bytes of the account.
func (t *Transaction) Buffer(bytes int, account *memory.Account, d packstream.Dialect) error {
	if err := t.Err(); err != nil {
		return err
	}
	for _, c := range t.cursors {
		bytes -= c.Buffered()
	}
	for _, c := range t.cursors {
		records := cursor.NewRecords(account, d, bytes)
		if err := c.Buffer(t.ctx, records); err != nil {
			return err
		}
		bytes -= records.Size()
	}
	return nil
}

// Commit makes the changes last, with those of results that are still open. It closes these in the order of their
// statements.
func (t *Transaction) Commit() (bookmark string, err error) {
	if err := t.Err(); err != nil {
		return "", err
	}
	for id := range t.last + 1 {
		if t.cursors[id] == nil {
			continue
		}
		if _, err := t.Close(id); err != nil {
			return "", err
		}
	}
	return t.explicit.Commit(t.ctx)
}

// Wait is closed when the transaction ends and has to be released. It is nil when there is nothing to release.
func (t *Transaction) Wait() <-chan struct{} {
	if t == nil || t.released {
		return nil
	}
	return t.ctx.Done()
}

// Expire rolls back a transaction with which its client does nothing. What the client asks for next fails.
func (t *Transaction) Expire(after time.Duration) {
	const format = "the client did nothing with its transaction for %v, so it was rolled back"
	t.end(status.Errorf(status.TimedOut, format, after))
	t.Release()
}

// Rollback ends the transaction and everything in it. After Commit it frees what is left.
func (t *Transaction) Rollback() {
	t.end(connection.ErrGone)
	t.Release()
}

// Release frees what is open; done again, it does nothing.
func (t *Transaction) Release() {
	for id, c := range t.cursors {
		c.Abandon()
		delete(t.cursors, id)
	}
	if t.explicit != nil {
		t.explicit.Rollback()
	}
	t.listed.End()
	t.released = true
}
