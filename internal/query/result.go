package query

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/execute"
	"github.com/penstock-db/penstock/internal/query/plan"
	"github.com/penstock-db/penstock/store"
)

// batchRows is how many rows the executor is ahead of the reader, at most, twice; with rows of
// batchBytes it is fewer.
const (
	batchRows  = 256
	batchBytes = 64 << 10
)

// Result is the rows of a statement, which runs while they are read:
//
//	execute ─rows─▶ batch ─channel─▶ Next, Row
//
// A statement that changes the graph is carried out to its end, however many rows are read.
type Result struct {
	tx      *Tx
	s       *statement
	plan    *plan.Plan
	columns []string
	began   time.Time
	cancel  context.CancelCauseFunc
	batches chan batch
	ended   chan struct{} // closed when nothing of it runs any more
	closed  bool

	batch   batch // that is being read
	row     []value.Value
	summary Summary // written before ended is closed
	err     error   // likewise
}

func newResult(t *Tx, s *statement, p *plan.Plan) *Result {
	return &Result{tx: t, s: s, plan: p, columns: p.Columns, began: time.Now(), cancel: func(error) {},
		batches: make(chan batch), ended: make(chan struct{}), summary: Summary{Writes: s.access == store.WriteAccess}}
}

// Columns are the names of the columns.
func (r *Result) Columns() []string { return r.columns }

// Plan is how the statement is executed; nil for those that change or show the schema.
func (r *Result) Plan() *plan.Plan { return r.plan }

// Next moves to the next row. At the end, or when something goes wrong, it is false.
func (r *Result) Next() bool {
	for len(r.batch.rows) == 0 {
		batch, ok := <-r.batches
		if !ok {
			r.finish()
			return false
		}
		r.turnTo(batch)
	}
	r.row, r.batch.rows = r.batch.rows[0], r.batch.rows[1:]
	return true
}

// turnTo lets go of the rows that were read, for others.
func (r *Result) turnTo(next batch) {
	if r.tx != nil {
		r.tx.memory.Give(r.batch.bytes)
	}
	r.batch = next
}

// Row is the current row: a value for each column. It is the caller's to keep; its memory counts
// for the statement until Next.
func (r *Result) Row() []value.Value { return r.row }

// Err is what went wrong, once Next is false: a *fault.Error, or what ended the context.
func (r *Result) Err() error {
	select {
	case <-r.ended:
		return r.err
	default:
		return nil
	}
}

// Summary tells what the statement has done, once Next is false.
func (r *Result) Summary() Summary {
	<-r.ended
	return r.summary
}

// errLeft ends a statement that only reads, and whose rows are not wanted any more.
var errLeft = errors.New("query: the result was closed")

// Close ends the reading. It gives the error that Err does; that rows were left is none.
func (r *Result) Close() error {
	if !r.closed && !r.summary.Writes {
		r.cancel(errLeft)
	}
	for batch := range r.batches {
		r.turnTo(batch)
	}
	r.finish()
	return r.err
}

// explained has no rows, only a plan.
func (r *Result) explained() {
	r.summary.Plan = r.plan.String()
	if r.tx.single {
		r.tx.tx.Rollback()
	}
	close(r.batches)
	r.end(nil)
}

// start executes the plan.
func (r *Result) start(ctx context.Context, parameters map[string]value.Value) {
	ctx, r.cancel = context.WithCancelCause(ctx)
	go func() {
		counters, err := r.execute(ctx, parameters)
		if errors.Is(err, errLeft) || errors.Is(err, context.Canceled) && errors.Is(context.Cause(ctx), errLeft) {
			err = nil
		}
		r.summary.Counters = counters
		if r.s.tree.Mode == ast.Profile {
			r.summary.Plan = profiled(r.plan, counters)
		}
		r.end(r.conclude(ctx, err))
		close(r.batches)
	}()
}

// execute hands all rows over. A mistake of ours ends the statement, not the program.
func (r *Result) execute(ctx context.Context, parameters map[string]value.Value) (counters execute.Counters,
	err error) {
	defer func() {
		if mistake := recover(); mistake != nil {
			err = fmt.Errorf("query: a mistake in Penstock, please report it: %v\n%s", mistake, debug.Stack())
		}
	}()
	ctx = memory.With(ctx, r.tx.memory)
	b := outlet{ctx: ctx, to: r.batches}
	defer func() { r.tx.memory.Give(b.next.bytes) }() // what was not sent
	limits := r.tx.engine.limits
	limits.Changed = r.tx.countChanges
	counters, err = execute.Run(ctx, r.plan, r.tx.tx, parameters, limits, b.add)
	if err == nil {
		err = b.flush()
	}
	return counters, err
}

// conclude ends the transaction if it is the statement's own.
func (r *Result) conclude(ctx context.Context, err error) error {
	switch {
	case !r.tx.single:
	case err != nil:
		r.tx.tx.Rollback()
	default:
		err = r.tx.commit(context.WithoutCancel(ctx))
	}
	if err != nil && !r.tx.single {
		r.tx.failed = err
	}
	return withText(asFault(err), r.s.tree.Text)
}

func (r *Result) end(err error) {
	r.summary.Took = time.Since(r.began)
	r.err = err
	close(r.ended)
}

// finish lets the transaction go on.
func (r *Result) finish() {
	<-r.ended
	r.turnTo(batch{})
	if r.tx != nil && !r.closed {
		r.tx.memory.Give(r.s.bytes)
	}
	if r.tx != nil && r.tx.single {
		r.tx.forget()
	}
	if r.closed = true; r.tx != nil && r.tx.open == r {
		r.tx.open = nil
	}
	r.cancel(nil)
}

// batch is rows on their way to the reader, and what they take.
type batch struct {
	rows  [][]value.Value
	bytes int64
}

// outlet collects rows to batches.
type outlet struct {
	ctx  context.Context
	to   chan<- batch
	next batch
}

func (o *outlet) add(row []value.Value, bytes int64) error {
	if o.next.rows == nil {
		o.next.rows = make([][]value.Value, 0, batchRows)
	}
	o.next.rows, o.next.bytes = append(o.next.rows, row), o.next.bytes+bytes
	if len(o.next.rows) < batchRows && o.next.bytes < batchBytes {
		return nil
	}
	return o.flush()
}

func (o *outlet) flush() error {
	if len(o.next.rows) == 0 {
		return nil
	}
	select {
	case o.to <- o.next:
		o.next = batch{}
		return nil
	case <-o.ctx.Done():
		return context.Cause(o.ctx)
	}
}
