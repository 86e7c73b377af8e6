package store

import (
	"context"
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/penstock-db/penstock/store/internal/arrays"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// block reads one block of a column; the caller releases it.
func (db *DB) block(graph string, c manifest.NamedColumn, number uint32) (arrow.Array, error) {
	return db.blockIn(db.mem, graph, c, number)
}

// blockIn is block with memory of mem.
func (db *DB) blockIn(mem memory.Allocator, graph string, c manifest.NamedColumn, number uint32) (arrow.Array, error) {
	key := c.Piece().Key(number)
	var payload []byte
	err := db.view(func(t tree.Tree) (err error) {
		payload, err = tree.ReadSealed(t, key)
		return err
	})
	var values arrow.Array
	if err == nil {
		values, err = arrays.DecodeBlock(mem, payload)
	}
	if err == nil && values.Len() != c.BlockLen(number) {
		err = fmt.Errorf("it has %d rows instead of %d", values.Len(), c.BlockLen(number))
		values.Release()
	}
	if err != nil {
		return nil, &failure.DamagedError{Graph: graph, Kind: c.Name + " column, block", Number: int64(number), Err: err}
	}
	return values, nil
}

// scan reads rows [from, to) of a column, block by block; values are valid until
// yield returns, which is told the row of the first.
func (db *DB) scan(ctx context.Context, graph string, c manifest.NamedColumn, from, to uint64, yield func(at uint64, values arrow.Array) error) error {
	for from < to {
		if err := ctx.Err(); err != nil {
			return err
		}
		number := uint32(from / manifest.BlockRows)
		values, err := db.block(graph, c, number)
		if err != nil {
			return err
		}
		base := uint64(number) * manifest.BlockRows
		end := min(to, base+uint64(values.Len()))
		part := array.NewSlice(values, int64(from-base), int64(end-base))
		err = yield(from, part)
		part.Release()
		values.Release()
		if err != nil {
			return err
		}
		from = end
	}
	return nil
}
