package stream

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/entity"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
)

// Result gives out copies of rows, with nodes and relationships made whole.
func Result(f *frame.Frame, input frame.Input, slots []int, yield func(row []value.Value, bytes int64) error,
	next frame.Emit) frame.Emit {
	if len(slots) == 0 {
		return input(frame.Nothing) // there are no columns
	}
	return input(func() error {
		before := f.Budget.Temporary()
		row := make([]value.Value, len(slots))
		for i, slot := range slots {
			v, err := entity.Complete(f, f.Row[slot])
			if err != nil {
				return err
			}
			row[i] = v
		}
		bytes, err := f.Budget.HandOver(before, row)
		if err != nil {
			return err
		}
		if err := yield(row, bytes); err != nil {
			return err
		}
		return next()
	})
}
