package snapshot

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/store/internal/arrays"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// columns reads the columns of a graph.
type columns struct {
	*Reader
	graph string
}

// Block reads one block of a column; the caller releases it.
func (r columns) Block(c manifest.NamedColumn, number uint32) (arrow.Array, error) {
	return r.BlockIn(r.mem, c, number)
}

// BlockIn is block with memory of mem.
func (r columns) BlockIn(mem memory.Allocator, c manifest.NamedColumn, number uint32) (arrow.Array, error) {
	key := c.Piece().Key(number)
	var payload []byte
	err := r.view(func(t tree.Tree) (err error) {
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
		return nil, &failure.DamagedError{Graph: r.graph, Kind: c.Name + " column, block", Number: int64(number), Err: err}
	}
	return values, nil
}

// scan reads rows [from, to) of a column, block by block; values are valid until
// yield returns, which is told the row of the first.
func (r columns) scan(ctx context.Context, c manifest.NamedColumn, from, to uint64,
	yield func(at uint64, values arrow.Array) error) error {
	for from < to {
		if err := ctx.Err(); err != nil {
			return err
		}
		number := uint32(from / manifest.BlockRows)
		values, err := r.Block(c, number)
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

// errType says that a block passed its checksum and yet holds another type than it should.
var errType = errors.New("it holds values of another type than it should")

func (r columns) Mistyped(piece string) error {
	return &failure.DamagedError{Graph: r.graph, Kind: piece, Number: -1, Err: errType}
}

// copyInts reads rows [from, to) of an integer column into dst.
func (r columns) copyInts(ctx context.Context, c manifest.Column, name string, from, to uint64, dst []int64) error {
	return r.scan(ctx, manifest.NamedColumn{Column: &c, Name: name}, from, to, func(at uint64, values arrow.Array) error {
		ints, ok := values.(*array.Int64)
		if !ok {
			return r.Mistyped(name + " column")
		}
		copy(dst[at-from:], ints.Int64Values())
		return nil
	})
}

// codes reads rows [from, to) of a column of uint32.
func (r columns) codes(ctx context.Context, c manifest.Column, name string, from, to uint64,
	yield func(at uint64, codes []uint32) error) error {
	return r.scan(ctx, manifest.NamedColumn{Column: &c, Name: name}, from, to, func(at uint64, values arrow.Array) error {
		codes, ok := values.(*array.Uint32)
		if !ok {
			return r.Mistyped(name + " column")
		}
		return yield(at, codes.Uint32Values())
	})
}

// readIDs reads rows of a pair of id columns, either of which may be nil.
func (r columns) readIDs(ctx context.Context, ints, texts *manifest.Column, from, to uint64) (formats.IDs, error) {
	all := formats.IDs{Ints: make([]int64, to-from)}
	if ints != nil {
		if err := r.copyInts(ctx, *ints, "integer id", from, to, all.Ints); err != nil {
			return all, err
		}
	}
	if texts == nil {
		return all, nil
	}
	err := r.scan(ctx, manifest.NamedColumn{Column: texts, Name: "string id"}, from, to,
		func(_ uint64, values arrow.Array) error {
			strings, ok := values.(*array.String)
			if !ok {
				return r.Mistyped("string id column")
			}
			for i := range strings.Len() {
				all.Strings = append(all.Strings, string([]byte(strings.Value(i))))
			}
			return nil
		})
	return all, err
}
