package cursor

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/message"
)

// Cursor is an open result.
type Cursor struct {
	Result  backend.Result
	Started time.Time   // of the statement
	Timer   *time.Timer // ends the statement
	Params  *Charge     // the memory of the statement's parameters

	ahead bool     // the result is at a row that was not sent yet
	rows  *Records // rows that were read before the client asked for them; nil: none
}

// Rows is where rows go.
type Rows interface {
	SendRow(ctx context.Context, row []value.Value) error
	SendRecord(ctx context.Context, record []byte) error
}

// Take sends n rows; -1: all. It tells whether there are more.
func (c *Cursor) Take(ctx context.Context, n int64, to Rows) (more bool, err error) {
	for n != 0 && c.rows.more() {
		if err := to.SendRecord(ctx, c.rows.next()); err != nil {
			return false, err
		}
		n--
	}
	for ; n != 0; n-- {
		if !c.next() {
			return false, c.Result.Err()
		}
		if err := to.SendRow(ctx, c.Result.Row()); err != nil {
			return false, err
		}
	}
	return c.more()
}

func (c *Cursor) next() bool {
	if c.ahead {
		c.ahead = false
		return true
	}
	return c.Result.Next()
}

func (c *Cursor) more() (bool, error) {
	if c.rows.more() {
		return true, nil
	}
	c.ahead = c.ahead || c.Result.Next()
	return c.ahead, c.Result.Err()
}

// Skip passes n rows over; -1: all, for which none needs to be read.
func (c *Cursor) Skip(ctx context.Context, n int64) (more bool, err error) {
	if n == -1 {
		return false, nil
	}
	return c.Take(ctx, n, discard{})
}

type discard struct{}

func (discard) SendRow(context.Context, []value.Value) error { return nil }
func (discard) SendRecord(context.Context, []byte) error     { return nil }

// Buffer reads the rows that are left into records, so that another statement can run.
func (c *Cursor) Buffer(ctx context.Context, into *Records) error {
	if c.rows != nil {
		return nil
	}
	_, err := c.Take(ctx, -1, into)
	c.rows = into
	return err
}

// Buffered is how many bytes the cursor's records take.
func (c *Cursor) Buffered() int { return c.rows.Size() }

// Finish closes the result. The metadata is its summary.
func (c *Cursor) Finish(graph string) (meta []value.Entry, err error) {
	defer c.release()
	if err := c.Result.Close(); err != nil {
		return nil, err
	}
	meta = message.OfSummary(c.Result.Summary())
	meta = append(meta, message.Integer("t_last", time.Since(c.Started).Milliseconds()))
	if graph != "" {
		meta = append(meta, message.Text("db", graph))
	}
	return meta, nil
}

// Abandon closes a result whose context is done.
func (c *Cursor) Abandon() {
	_ = c.Result.Close()
	c.release()
}

// release gives back what the cursor takes; done again, it does nothing.
func (c *Cursor) release() {
	c.Timer.Stop()
	c.Params.Release()
	c.rows.drop()
	c.rows = nil
}
