package stream

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/expression"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/function"
)

// Unwind makes a row of each element; a value that is no list is its only element.
func Unwind(f *frame.Frame, input frame.Input, slot int, list expression.Evaluator, next frame.Emit) frame.Emit {
	return input(func() error {
		v, err := list()
		if err != nil || v.IsNull() {
			return err
		}
		elements := []value.Value{v}
		if v.Kind() == value.List {
			elements = v.List()
		}
		for _, element := range elements {
			f.Row[slot] = element
			if err := f.Tick(); err != nil {
				return err
			}
			if err := f.Pass(next); err != nil {
				return err
			}
		}
		return nil
	})
}

// UnwindRange makes a row of each integer of a range(), without making the list.
func UnwindRange(f *frame.Frame, input frame.Input, slot int, bounds []expression.Evaluator,
	next frame.Emit) frame.Emit {
	args := make([]value.Value, len(bounds))
	return input(func() (err error) {
		for i, bound := range bounds {
			if args[i], err = bound(); err != nil {
				return err
			}
		}
		p, err := function.ProgressionOf(args)
		for i := uint64(0); err == nil && i < p.Count; i++ {
			f.Row[slot] = value.OfInt(p.At(i))
			if err = f.Tick(); err == nil {
				err = f.Pass(next)
			}
		}
		return err
	})
}
