package stream

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/expression"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
)

// Project sets slots to the values of expressions. It computes all values before it sets the first: slots are not read
// and set at once.
func Project(f *frame.Frame, input frame.Input, slots []int, expressions []expression.Evaluator,
	next frame.Emit) frame.Emit {
	values := make([]value.Value, len(slots))
	return input(func() error {
		for i, expression := range expressions {
			v, err := expression()
			if err != nil {
				return err
			}
			values[i] = v
		}
		for i, slot := range slots {
			f.Row[slot] = values[i]
		}
		return next()
	})
}
