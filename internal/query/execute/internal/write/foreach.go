package write

import (
	"github.com/penstock-db/penstock/internal/query/execute/internal/expression"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
)

// Foreach runs a plan for each element of a list, which is in a slot then, for what it changes.
func Foreach(f *frame.Frame, input, plan frame.Input, slot int, list expression.Evaluator, next frame.Emit) frame.Emit {
	run := plan(frame.Nothing)
	return input(func() error {
		v, err := list()
		if err != nil {
			return err
		}
		elements, err := expression.Elements(v)
		if err != nil {
			return err
		}
		for _, element := range elements {
			f.Row[slot] = element
			if err := run(); err != nil {
				return err
			}
		}
		return next()
	})
}
