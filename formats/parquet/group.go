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

// group reads one row group of a file, batch by batch.
type group struct {
	*file
	mem     memory.Allocator
	first   int64 // the row in the file with which the next batch begins
	columns []*values
}

func (g *group) read(ctx context.Context, rows parquet.RowGroup, yield func(f *file, record arrow.Record, first int64) error) error {
	err := g.guard(func() error {
		for _, c := range g.file.columns {
			g.columns = append(g.columns, newValues(c, rows))
		}
		return nil
	})
	defer g.close()
	for left := rows.NumRows(); left > 0 && err == nil; left -= formats.BatchRows {
		err = g.batch(ctx, int(min(formats.BatchRows, left)), yield)
	}
	return err
}

func (g *group) close() {
	for _, c := range g.columns {
		c.chunk.Close()
	}
}

func (g *group) batch(ctx context.Context, rows int, yield func(f *file, record arrow.Record, first int64) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	record, err := g.record(rows)
	if err != nil {
		return err
	}
	defer record.Release()
	err = yield(g.file, record, g.first)
	g.first += int64(rows)
	return err
}

func (g *group) record(rows int) (arrow.Record, error) {
	arrays := make([]arrow.Array, 0, len(g.columns))
	defer func() {
		for _, a := range arrays {
			a.Release()
		}
	}()
	for i, c := range g.columns {
		err := g.guard(func() error {
			a, err := c.read(g.mem, rows)
			var bad *table.BadValue
			if errors.As(err, &bad) {
				bad.Column = i
				return g.badValue(bad, g.first)
			}
			if err == nil {
				arrays = append(arrays, a)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return array.NewRecord(g.schema, arrays, int64(rows)), nil
}
