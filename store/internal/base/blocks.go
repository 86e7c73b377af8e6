package base

import (
	"sync/atomic"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/arrays"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/snapshot"
)

// blockReader reads single rows of a column. Its blocks are kept decoded in the cache.
type blockReader struct {
	snapshot *snapshot.Snapshot
	cache    *Cache
	column   manifest.NamedColumn
	field    arrow.Field
	slots    []atomic.Pointer[openBlock]
}

// openBlock is a decoded block. Its memory is the garbage collector's.
type openBlock struct {
	cached
	read  arrays.Reader
	codes []uint32 // of a column of these
}

func newBlockReader(s *snapshot.Snapshot, kept *Cache, c manifest.NamedColumn, field arrow.Field) *blockReader {
	return &blockReader{snapshot: s, cache: kept, column: c, field: field,
		slots: make([]atomic.Pointer[openBlock], (c.Rows+manifest.BlockRows-1)/manifest.BlockRows)}
}

// block is the block that row is in.
func (r *blockReader) block(row uint64) (*openBlock, error) {
	slot := &r.slots[row/manifest.BlockRows]
	if b := slot.Load(); b != nil {
		b.touch()
		return b, nil
	}
	s := r.snapshot
	values, err := s.BlockIn(memory.DefaultAllocator, r.column, uint32(row/manifest.BlockRows))
	if err != nil {
		return nil, err
	}
	if r.field.Type != nil && !arrow.TypeEqual(r.field.Type, values.DataType()) {
		return nil, s.Mistyped(r.column.Name + " column")
	}
	b := &openBlock{cached: cached{of: s, bytes: arrays.ArrayBytes(values.Data()), empty: func() { slot.Store(nil) }}}
	if codes, ok := values.(*array.Uint32); ok {
		b.codes = codes.Uint32Values()
	}
	var ok bool
	if b.read, ok = arrays.NewReader(r.field, values); !ok {
		return nil, arrays.Unstorable(r.column.Name, values.DataType())
	}
	slot.Store(b)
	r.cache.admit(&b.cached)
	return b, nil
}

// at is the value of a row.
func (r *blockReader) at(row uint64) (value.Value, error) {
	b, err := r.block(row)
	if err != nil {
		return value.Value{}, err
	}
	return b.read(int(row % manifest.BlockRows)), nil
}

// code is the code in a row of a column of uint32.
func (r *blockReader) code(row uint64) (uint32, error) {
	b, err := r.block(row)
	if err != nil {
		return 0, err
	}
	if b.codes == nil {
		return 0, r.snapshot.Mistyped(r.column.Name + " column")
	}
	return b.codes[row%manifest.BlockRows], nil
}
