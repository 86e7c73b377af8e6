package store

import (
	"bytes"
	"context"
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/layout"
)

// blockRows is how many vertices one block of a column covers.
const blockRows = 1 << 16

// blockLen is how many rows block number has.
func (c Column) blockLen(number uint32) int {
	return int(min(blockRows, c.Rows-uint64(number)*blockRows))
}

// columnWriter cuts what is appended into blocks and stores them. It holds at most
// one block and the last batch.
type columnWriter struct {
	generation *generation
	column     Column
	field      arrow.Field
	parts      []arrow.Array
	pending    int   // rows in parts
	bytes      int64 // of these rows
}

func (g *generation) newColumn(field arrow.Field) *columnWriter {
	return &columnWriter{
		generation: g,
		column:     Column{Generation: g.number, Item: g.items.Add(1)},
		field:      field,
	}
}

// append adds values, whose type must be the field's. It retains them as long as it needs.
func (w *columnWriter) append(values arrow.Array) error {
	for from := 0; from < values.Len(); {
		to := min(values.Len(), from+blockRows-w.pending)
		part := array.NewSlice(values, int64(from), int64(to))
		w.parts = append(w.parts, part)
		w.bytes += valueBytes(part)
		w.pending += to - from
		if w.pending == blockRows {
			if err := w.cut(); err != nil {
				return err
			}
		}
		from = to
	}
	return nil
}

// valueBytes is about what the values of an array take, which may be a part of another.
func valueBytes(values arrow.Array) int64 {
	const fixed = 16
	n := values.Len()
	if n == 0 {
		return 0
	}
	switch values := values.(type) {
	case array.BinaryLike:
		return fixed*int64(n) + values.ValueOffset64(n-1) + int64(values.ValueLen(n-1)) - values.ValueOffset64(0)
	case array.ListLike:
		elements := values.ListValues()
		if elements.Len() == 0 {
			return fixed * int64(n)
		}
		from, _ := values.ValueOffsets(0)
		_, to := values.ValueOffsets(n - 1)
		return fixed*int64(n) + arrayBytes(elements.Data())*(to-from)/int64(elements.Len())
	}
	return fixed * int64(n)
}

// appendNulls adds n nulls.
func (w *columnWriter) appendNulls(n uint64) error {
	for n > 0 {
		step := min(n, blockRows)
		nulls := array.MakeArrayOfNull(w.generation.db.mem, w.field.Type, int(step))
		err := w.append(nulls)
		nulls.Release()
		if err != nil {
			return err
		}
		n -= step
	}
	return nil
}

// cut stores the pending rows as a block.
func (w *columnWriter) cut() error {
	mem := w.generation.db.mem
	values, err := join(mem, w.parts)
	if err != nil {
		return err
	}
	defer values.Release()
	payload, err := encodeBlock(mem, w.field, values)
	if err != nil {
		return err
	}
	number := uint32(w.column.Rows / blockRows)
	w.column.Rows += uint64(w.pending)
	w.abandon()
	key := w.column.piece().Key(number)
	return w.generation.put(key, layout.Seal(key, payload))
}

// finish stores the last block.
func (w *columnWriter) finish() (Column, error) {
	if w.pending > 0 {
		if err := w.cut(); err != nil {
			return Column{}, err
		}
	}
	return w.column, nil
}

// abandon lets go of the pending rows. It may be called again.
func (w *columnWriter) abandon() {
	for _, p := range w.parts {
		p.Release()
	}
	w.parts, w.pending, w.bytes = w.parts[:0], 0, 0
}

// join makes one array of parts.
func join(mem memory.Allocator, parts []arrow.Array) (arrow.Array, error) {
	if len(parts) == 1 {
		parts[0].Retain()
		return parts[0], nil
	}
	return array.Concatenate(parts, mem)
}

// encodeBlock makes an Arrow IPC stream of one batch with one column.
func encodeBlock(mem memory.Allocator, field arrow.Field, values arrow.Array) ([]byte, error) {
	schema := arrow.NewSchema([]arrow.Field{field}, nil)
	record := array.NewRecord(schema, []arrow.Array{values}, int64(values.Len()))
	defer record.Release()
	var b bytes.Buffer
	w := ipc.NewWriter(&b, ipc.WithSchema(schema), ipc.WithAllocator(mem))
	if err := w.Write(record); err != nil {
		return nil, err
	}
	err := w.Close()
	return b.Bytes(), err
}

// decodeBlock is the inverse of encodeBlock; the caller releases the array.
func decodeBlock(mem memory.Allocator, payload []byte) (arrow.Array, error) {
	r, err := ipc.NewReader(bytes.NewReader(payload), ipc.WithAllocator(mem))
	if err != nil {
		return nil, err
	}
	defer r.Release()
	if !r.Next() || r.Record().NumCols() != 1 {
		return nil, fmt.Errorf("it holds no column: %v", r.Err())
	}
	values := r.Record().Column(0)
	values.Retain()
	return values, nil
}

// block reads one block of a column; the caller releases it.
func (db *DB) block(graph string, c namedColumn, number uint32) (arrow.Array, error) {
	return db.blockIn(db.mem, graph, c, number)
}

// blockIn is block with memory of mem.
func (db *DB) blockIn(mem memory.Allocator, graph string, c namedColumn, number uint32) (arrow.Array, error) {
	key := c.piece().Key(number)
	var payload []byte
	err := db.view(func(t tree) (err error) {
		payload, err = readSealed(t, key)
		return err
	})
	var values arrow.Array
	if err == nil {
		values, err = decodeBlock(mem, payload)
	}
	if err == nil && values.Len() != c.blockLen(number) {
		err = fmt.Errorf("it has %d rows instead of %d", values.Len(), c.blockLen(number))
		values.Release()
	}
	if err != nil {
		return nil, &failure.DamagedError{Graph: graph, Kind: c.name + " column, block", Number: int64(number), Err: err}
	}
	return values, nil
}

// scan reads rows [from, to) of a column, block by block; values are valid until
// yield returns, which is told the row of the first.
func (db *DB) scan(ctx context.Context, graph string, c namedColumn, from, to uint64, yield func(at uint64, values arrow.Array) error) error {
	for from < to {
		if err := ctx.Err(); err != nil {
			return err
		}
		number := uint32(from / blockRows)
		values, err := db.block(graph, c, number)
		if err != nil {
			return err
		}
		base := uint64(number) * blockRows
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
