package statement

import (
	"context"
	"fmt"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/internal/query"
	"github.com/penstock-db/penstock/store"
)

// batches runs statements, so many in a transaction: each commit waits for the disk once.
type batches struct {
	db    *instance.DB
	graph string
	size  int
	tx    *query.Tx // that is open; nil: none
	count int       // of statements that it has run
	ended int       // statements that are committed
}

// begin begins a transaction where a batch begins.
func (b *batches) begin(ctx context.Context) (err error) {
	if b.size > 1 && b.tx == nil {
		b.tx, err = b.db.Begin(ctx, b.graph, store.WriteAccess)
	}
	return err
}

// run runs a statement. Its result has to be closed before done.
func (b *batches) run(ctx context.Context, statement string, parameters map[string]value.Value) (*query.Result, error) {
	if b.tx == nil {
		return b.db.Query(ctx, b.graph, statement, parameters)
	}
	return b.tx.Run(ctx, statement, parameters)
}

// done counts a statement, and commits a batch that is full.
func (b *batches) done(ctx context.Context) error {
	if b.count++; b.count < b.size {
		return nil
	}
	return b.commit(ctx)
}

func (b *batches) commit(ctx context.Context) (err error) {
	if b.tx != nil {
		err = b.tx.Commit(ctx)
	}
	if err == nil {
		b.ended += b.count
	}
	b.tx, b.count = nil, 0
	return err
}

// failed gives up the batch, and says so, and what stays.
func (b *batches) failed(err error) error {
	before := "it"
	if b.tx != nil {
		b.tx.Rollback()
		b.tx, before = nil, "those"
		err = fmt.Errorf("%w\n%s before it of the same batch have changed nothing", err, statements(b.count))
	}
	if b.ended == 0 {
		return err
	}
	return fmt.Errorf("%w\nwhat %s before %s did stays", err, statements(b.ended), before)
}

func statements(count int) string {
	if count == 1 {
		return "1 statement"
	}
	return fmt.Sprintf("%d statements", count)
}
