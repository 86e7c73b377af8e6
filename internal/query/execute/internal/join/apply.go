package join

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
)

// Union runs its parts one after the other.
func Union(input frame.Input, parts []frame.Input, next frame.Emit) frame.Emit {
	runs := make([]frame.Emit, len(parts))
	for i, part := range parts {
		runs[i] = part(next)
	}
	return input(func() error {
		for _, run := range runs {
			if err := run(); err != nil {
				return err
			}
		}
		return nil
	})
}

// Optional runs a plan for each row; where that gives none, it emits the row with nulls in slots.
func Optional(f *frame.Frame, input, plan frame.Input, slots []int, next frame.Emit) frame.Emit {
	found := false
	run := plan(func() error {
		found = true
		return next()
	})
	return input(func() error {
		found = false
		if err := run(); err != nil || found {
			return err
		}
		for _, slot := range slots {
			f.Row[slot] = value.Value{}
		}
		return next()
	})
}

// Apply runs a plan for each row and emits its rows.
func Apply(input, plan frame.Input, next frame.Emit) frame.Emit { return input(plan(next)) }

// ApplyUnit runs a plan for each row, for what it changes, and emits the row.
func ApplyUnit(input, plan frame.Input, next frame.Emit) frame.Emit {
	run := plan(frame.Nothing)
	return input(func() error {
		if err := run(); err != nil {
			return err
		}
		return next()
	})
}
