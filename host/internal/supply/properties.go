package supply

import (
	"context"
	"slices"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/host/internal/dataset"
	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// FillProperties writes the vertex properties that a program or procedure is given to their columns of a layout, and
// vectors to their rows. What is read to add up edge properties counts as read by the run.
//
// Errors: *dataset.PropertyError names the property, and the first vertex that it has no value of.
func FillProperties(ctx context.Context, snap *store.Snapshot, memory *arena.Arena, layout plugins.Layout,
	inputs []algorithms.VertexInput, vectors []algorithms.VectorInput, rec *meter.Recorder) error {
	for _, in := range inputs {
		at := slices.IndexFunc(layout.Columns, func(c plugins.VertexColumn) bool { return c.Name == in.Name })
		if at < 0 {
			return plugins.Errorf(plugins.KindInternal, "the layout has no column %q", in.Name)
		}
		values, err := column(memory, layout.Columns[at])
		if err != nil {
			return err
		}
		fill := dataset.Fill
		if in.Sums != "" {
			fill = func(ctx context.Context, snap *store.Snapshot, in algorithms.VertexInput, to algorithms.Values) error {
				return fillSums(ctx, snap, in, to, rec)
			}
		}
		if err := fill(ctx, snap, in, values); err != nil {
			return err
		}
	}
	for _, in := range vectors {
		at := slices.IndexFunc(layout.Rows, func(r plugins.VertexRows) bool { return r.Name == in.Name })
		if at < 0 {
			return plugins.Errorf(plugins.KindInternal, "the layout has no rows %q", in.Name)
		}
		numbers, err := memory.Float32s(layout.Rows[at].Range)
		if err != nil {
			return err
		}
		if err := dataset.FillVectors(ctx, snap, in, numbers); err != nil {
			return err
		}
	}
	return nil
}

// fillSums is dataset.FillSums, and counts what it reads.
func fillSums(ctx context.Context, snap *store.Snapshot, in algorithms.VertexInput, to algorithms.Values,
	rec *meter.Recorder) error {
	began := time.Now()
	all, err := dataset.FillSums(ctx, snap, in, to)
	if err == nil {
		rec.Meter.Loaded(all, time.Since(began))
		rec.Trace.Stage("read", began, uint64(all))
	}
	return err
}

// column is one of numbers, in the arena.
func column(memory *arena.Arena, c plugins.VertexColumn) (values algorithms.Values, err error) {
	values.Column = c.Column
	if c.Type == algorithms.Float {
		values.Floats, err = memory.Float64s(c.Range)
	} else {
		values.Ints, err = memory.Int64s(c.Range)
	}
	return values, err
}
