package batch

import (
	"context"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
)

// Nodes gathers declared nodes without labels.
type Nodes struct {
	formats.NodeBatch
	rows
	yield func(*formats.NodeBatch) error
}

// NewNodes makes a builder whose rows come from file. schema may be nil: no
// properties. The caller releases it.
func NewNodes(ctx context.Context, mem memory.Allocator, file string, schema *arrow.Schema,
	yield func(*formats.NodeBatch) error) *Nodes {
	b := &Nodes{rows: newRows(ctx, mem, file, schema), yield: yield}
	b.Where = b.where
	return b
}

// EndRow ends a row whose id is appended to ID, and hands on a full batch.
func (b *Nodes) EndRow(line int64) error {
	b.lines = append(b.lines, line)
	b.count(b.ID)
	if !b.full() {
		return nil
	}
	return b.Flush()
}

// Flush hands on what is gathered. A source calls it after its last row.
func (b *Nodes) Flush() error {
	if err := b.ctx.Err(); err != nil || len(b.lines) == 0 {
		return err
	}
	if b.Props = b.record(); b.Props != nil {
		defer b.Props.Release()
	}
	err := b.yield(&b.NodeBatch)
	b.ID.Reset()
	b.empty()
	return err
}

// Interval yields the nodes from, from+1 … to-1, all declared at the same place: the
// line of a file's header that tells how many there are.
func Interval(ctx context.Context, from, to int64, declared formats.Position,
	yield func(*formats.NodeBatch) error) error {
	nodes := NewNodes(ctx, nil, declared.File, nil, yield)
	for id := from; id < to; id++ {
		nodes.ID.AppendInt(id)
		if err := nodes.EndRow(declared.Line); err != nil {
			return err
		}
	}
	return nodes.Flush()
}
