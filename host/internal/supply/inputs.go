package supply

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// FillRows writes the rows of a layout that are given, but for vectors (see FillProperties).
//
// Errors: *plugins.Error where there are not as many numbers as the layout has.
func FillRows(memory *arena.Arena, layout plugins.Layout, given map[string][]float32,
	vectors []algorithms.VectorInput) error {
	for _, r := range layout.Rows {
		if !r.Given || slices.ContainsFunc(vectors, func(in algorithms.VectorInput) bool { return in.Name == r.Name }) {
			continue
		}
		dst, err := memory.Float32s(r.Range)
		if err != nil {
			return err
		}
		if len(given[r.Name]) != len(dst) {
			return plugins.Errorf(plugins.KindInvalid, "rows %q have %d numbers; expected %d", r.Name, len(given[r.Name]), len(dst))
		}
		copy(dst, given[r.Name])
	}
	return nil
}

// FillInputs writes the columns of a layout that devices only read: id and degrees.
func FillInputs(ctx context.Context, snap *store.Snapshot, memory *arena.Arena, layout plugins.Layout) error {
	inputs := map[string]func([]int64) error{
		plan.InputID:        func(dst []int64) error { return snap.FillIDs(ctx, dst) },
		plan.InputOutDegree: func(dst []int64) error { return snap.FillDegrees(ctx, chunk.Out, dst) },
		plan.InputInDegree:  func(dst []int64) error { return snap.FillDegrees(ctx, chunk.In, dst) },
	}
	for _, c := range layout.Columns {
		fill, ok := inputs[c.Name]
		if !ok {
			continue
		}
		dst, err := memory.Int64s(c.Range)
		if err != nil {
			return err
		}
		if err := fill(dst); err != nil {
			return err
		}
	}
	return nil
}
