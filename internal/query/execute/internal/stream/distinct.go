package stream

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/execute/internal/rows"
)

// Distinct emits the first of rows that are the same in some slots.
func Distinct(f *frame.Frame, input frame.Input, slots []int, next frame.Emit) frame.Emit {
	row := make([]value.Value, len(slots))
	var seen *rows.Set
	run := input(func() error {
		for i, slot := range slots {
			row[i] = f.Row[slot]
		}
		fresh, err := seen.Insert(row)
		if err != nil || !fresh {
			return frame.FirstOf(err, f.Tick())
		}
		return next()
	})
	return func() error {
		seen = rows.NewSet(len(slots), f.Budget.Tally("DISTINCT"))
		defer seen.Clear()
		return run()
	}
}
