package parquet

import (
	"context"
	"errors"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/parquet-go/parquet-go"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/table"
)

// group reads one row group of a file, batch by batch. Columns are read ahead, each by as
// many rows as its share of the memory for a batch holds; a batch has as many rows as all
// columns have.
type group struct {
	*file
	mem     memory.Allocator
	first   int64 // the row in the file with which the next batch begins
	columns []*values
}

// batchBytes is about what a batch takes, and a row for each column.
const batchBytes = 8 << 20

// values of a fixed width take this many bytes.
const fixedBytes = 8

func (g *group) read(ctx context.Context, rows parquet.RowGroup,
	yield func(f *file, record arrow.Record, first int64) error) error {
	err := g.guard(func() error {
		for _, c := range g.file.columns {
			g.columns = append(g.columns, newValues(c, rows, len(g.file.columns), g.opts.RowLimit()))
		}
		return nil
	})
	defer g.close()
	for left := rows.NumRows(); left > 0 && err == nil; {
		var n int64
		n, err = g.batch(ctx, left, yield)
		left -= n
	}
	return err
}

func (g *group) close() {
	for _, c := range g.columns {
		c.chunk.Close()
		if c.ahead != nil {
			c.ahead.Release()
		}
	}
}

// batch hands on the next rows, of which so many are left in the group, and returns how many.
func (g *group) batch(ctx context.Context, left int64,
	yield func(f *file, record arrow.Record, first int64) error) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	record, err := g.record(left)
	if err != nil {
		return 0, err
	}
	defer record.Release()
	err = yield(g.file, record, g.first)
	g.first += record.NumRows()
	return record.NumRows(), err
}

func (g *group) record(left int64) (arrow.Record, error) {
	rows := min(formats.BatchRows, left)
	for i, c := range g.columns {
		if c.ahead == nil {
			if err := g.guard(func() error { return g.readAhead(i, int(rows)) }); err != nil {
				return nil, err
			}
		}
		rows = min(rows, int64(c.ahead.Len()))
	}
	arrays := make([]arrow.Array, 0, len(g.columns))
	for _, c := range g.columns {
		a := c.take(rows)
		defer a.Release()
		arrays = append(arrays, a)
	}
	return array.NewRecord(g.schema, arrays, rows), nil
}

// readAhead reads up to so many rows of column i, which begin at first.
func (g *group) readAhead(i, rows int) error {
	err := g.columns[i].readAhead(g.mem, rows)
	var bad *table.BadValue
	var long *longValueError
	switch {
	case errors.As(err, &bad):
		bad.Column = i
		return g.badValue(bad, g.first)
	case errors.As(err, &long):
		return formats.TooLarge(g.at(g.first+int64(long.row)), "a list or text", int64(long.limit), "bytes",
			"shorter ones, or more memory (--memory)")
	}
	return err
}
