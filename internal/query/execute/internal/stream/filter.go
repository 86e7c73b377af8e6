// Package stream holds the operators that make rows of one row of their input at a time.
package stream

import (
	"github.com/penstock-db/penstock/internal/query/execute/internal/expression"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
)

// Filter emits the rows for which a condition is true.
func Filter(f *frame.Frame, input frame.Input, where expression.Predicate, next frame.Emit) frame.Emit {
	return input(func() error {
		ok, err := where()
		if !ok {
			return frame.FirstOf(err, f.Tick())
		}
		return next()
	})
}
