package host

import (
	"context"

	"github.com/penstock-db/penstock/formats/chunk"
)

// fillInputs writes the columns that the device only reads: id and degrees.
func (r *run) fillInputs(ctx context.Context) error {
	inputs := map[string]func([]int64) error{
		inputID:        func(dst []int64) error { return r.snap.FillIDs(ctx, dst) },
		inputOutDegree: func(dst []int64) error { return r.snap.FillDegrees(ctx, chunk.Out, dst) },
		inputInDegree:  func(dst []int64) error { return r.snap.FillDegrees(ctx, chunk.In, dst) },
	}
	if r.estimating {
		return nil
	}
	for _, c := range r.task.Layout.Columns {
		fill, ok := inputs[c.Name]
		if !ok {
			continue
		}
		dst, err := r.arena.Int64s(c.Range)
		if err != nil {
			return err
		}
		if err := fill(dst); err != nil {
			return err
		}
	}
	return nil
}
