package generation

import (
	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/penstock-db/penstock/store/internal/arrays"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// ColumnWriter cuts what is appended into blocks and stores them. It holds at most
// one block and the last batch.
type ColumnWriter struct {
	generation *Generation
	column     manifest.Column
	Field      arrow.Field
	parts      []arrow.Array
	pending    int   // rows in parts
	Bytes      int64 // of these rows
}

func (g *Generation) NewColumn(field arrow.Field) *ColumnWriter {
	return &ColumnWriter{
		generation: g,
		column:     manifest.Column{Generation: g.Number, Item: g.items.Add(1)},
		Field:      field,
	}
}

// Append adds values, whose type must be the field's. It retains them as long as it needs.
func (w *ColumnWriter) Append(values arrow.Array) error {
	for from := 0; from < values.Len(); {
		to := min(values.Len(), from+manifest.BlockRows-w.pending)
		part := array.NewSlice(values, int64(from), int64(to))
		w.parts = append(w.parts, part)
		w.Bytes += arrays.ValueBytes(part)
		w.pending += to - from
		if w.pending == manifest.BlockRows {
			if err := w.cut(); err != nil {
				return err
			}
		}
		from = to
	}
	return nil
}

// AppendNulls adds n nulls.
func (w *ColumnWriter) AppendNulls(n uint64) error {
	for n > 0 {
		step := min(n, manifest.BlockRows)
		nulls := array.MakeArrayOfNull(w.generation.Mem, w.Field.Type, int(step))
		err := w.Append(nulls)
		nulls.Release()
		if err != nil {
			return err
		}
		n -= step
	}
	return nil
}

// cut stores the pending rows as a block.
func (w *ColumnWriter) cut() error {
	mem := w.generation.Mem
	values, err := arrays.Join(mem, w.parts)
	if err != nil {
		return err
	}
	defer values.Release()
	payload, err := arrays.EncodeBlock(mem, w.Field, values)
	if err != nil {
		return err
	}
	number := uint32(w.column.Rows / manifest.BlockRows)
	w.column.Rows += uint64(w.pending)
	w.Abandon()
	key := w.column.Piece().Key(number)
	return w.generation.Put(key, layout.Seal(key, payload))
}

// Finish stores the last block.
func (w *ColumnWriter) Finish() (manifest.Column, error) {
	if w.pending > 0 {
		if err := w.cut(); err != nil {
			return manifest.Column{}, err
		}
	}
	return w.column, nil
}

// Abandon lets go of the pending rows. It may be called again.
func (w *ColumnWriter) Abandon() {
	for _, p := range w.parts {
		p.Release()
	}
	w.parts, w.pending, w.Bytes = w.parts[:0], 0, 0
}
