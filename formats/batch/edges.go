// Package batch gathers the rows that a parser finds into the batches of a formats.Source.
//
//	parser ──Add(src, dst, line)──▶ Edges ──formats.BatchRows rows──▶ yield
//
// A builder holds one batch: about 24 bytes a row, string ids of a mebibyte at the most and
// one row, and the property columns. It is reused from batch to batch; only the property columns are new, so
// that a consumer may retain them.
package batch

import (
	"context"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
)

// Edges gathers edges. Set the row's ends and properties, then call Add.
type Edges struct {
	formats.EdgeBatch
	rows
	yield func(*formats.EdgeBatch) error
}

// NewEdges makes a builder whose rows come from file. schema may be nil: no
// properties. The caller releases it.
func NewEdges(ctx context.Context, mem memory.Allocator, file string, schema *arrow.Schema,
	yield func(*formats.EdgeBatch) error) *Edges {
	b := &Edges{rows: newRows(ctx, mem, file, schema), yield: yield}
	b.Where = b.where
	return b
}

// Add adds an edge between integer ids, found at line.
func (b *Edges) Add(src, dst, line int64) error {
	b.Src.AppendInt(src)
	b.Dst.AppendInt(dst)
	return b.EndRow(line)
}

// EndRow ends a row whose ends are appended to Src and Dst, and hands on a full batch.
func (b *Edges) EndRow(line int64) error {
	b.Row(line)
	b.count(b.Src)
	b.count(b.Dst)
	if !b.full() {
		return nil
	}
	return b.Flush()
}

// Row is EndRow without handing on: of a parser that Flushes every formats.BatchRows
// rows itself.
func (b *Edges) Row(line int64) { b.lines = append(b.lines, line) }

// FlushAfter is Flush for rows whose lines were counted from a block of the file with
// so many lines before it.
func (b *Edges) FlushAfter(lines int64) error {
	b.before = lines
	return b.Flush()
}

// Flush hands on what is gathered. A source calls it after its last row.
func (b *Edges) Flush() error {
	if err := b.ctx.Err(); err != nil || len(b.lines) == 0 {
		return err
	}
	if b.Props = b.record(); b.Props != nil {
		defer b.Props.Release()
	}
	err := b.yield(&b.EdgeBatch)
	b.Src.Reset()
	b.Dst.Reset()
	b.empty()
	return err
}
