package batch

import (
	"context"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
)

// rows is what batches of nodes and of edges have in common: where each row stands,
// and its properties.
type rows struct {
	ctx    context.Context
	file   string
	lines  []int64              // the line of each row
	before int64                // lines of the file that these do not count
	text   int                  // bytes of string ids
	props  *array.RecordBuilder // nil: no properties
}

func newRows(ctx context.Context, mem memory.Allocator, file string, schema *arrow.Schema) rows {
	r := rows{ctx: ctx, file: file}
	if schema != nil {
		r.props = array.NewRecordBuilder(mem, schema)
	}
	return r
}

// batchText is of how many bytes the string ids of a batch are, and those of one row.
const batchText = 1 << 20

// count counts the last of ids.
func (r *rows) count(ids formats.IDs) {
	if ids.Strings != nil {
		r.text += len(ids.Strings[len(ids.Strings)-1])
	}
}

// full says whether a batch is to be handed on.
func (r *rows) full() bool { return len(r.lines) >= formats.BatchRows || r.text >= batchText }

// empty forgets the rows, whose ids are handed on.
func (r *rows) empty() { r.lines, r.text = r.lines[:0], 0 }

func (r *rows) where(row int) formats.Position {
	return formats.Position{File: r.file, Line: r.before + r.lines[row]}
}

// Float is property column i, which the schema makes a Float64.
func (r *rows) Float(i int) *array.Float64Builder {
	return r.props.Field(i).(*array.Float64Builder)
}

// Int is property column i, which the schema makes an Int64.
func (r *rows) Int(i int) *array.Int64Builder {
	return r.props.Field(i).(*array.Int64Builder)
}

// Column is property column i, of whatever type.
func (r *rows) Column(i int) array.Builder { return r.props.Field(i) }

// List is property column i, which the schema makes a List.
func (r *rows) List(i int) *array.ListBuilder {
	return r.props.Field(i).(*array.ListBuilder)
}

// record takes the property columns out of the builder. After a full batch it makes
// room for another; small graphs take little memory.
func (r *rows) record() arrow.Record {
	if r.props == nil {
		return nil
	}
	record := r.props.NewRecord()
	if len(r.lines) == formats.BatchRows {
		r.props.Reserve(formats.BatchRows)
	}
	return record
}

// Release frees the property columns.
func (r *rows) Release() {
	if r.props != nil {
		r.props.Release()
	}
}
