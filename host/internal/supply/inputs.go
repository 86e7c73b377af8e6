package supply

import (
	"context"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

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
