package scan

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/expression"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/store"
)

// NodeBySeek finds nodes by an index: those with a value, or with one of a list.
func NodeBySeek(f *frame.Frame, input frame.Input, slot int, index store.Index, values expression.Evaluator, list bool,
	next frame.Emit) frame.Emit {
	w := &walk{frame: f, slot: slot, next: next}
	each := w.each
	one := func(v value.Value) error {
		w.failed = nil
		return frame.FirstOf(f.Graph.Seek(index, v, each), w.failed)
	}
	return input(func() error {
		v, err := values()
		if err != nil {
			return err
		}
		if list {
			return eachDistinct(f, v, one)
		}
		return one(v)
	})
}

// End is one end of a range; its Value is nil where there is none.
type End struct {
	Value     expression.Evaluator
	Inclusive bool
}

// bound is the end for the row that the frame has; nil: there is none.
func (e End) bound() (*store.Bound, error) {
	if e.Value == nil {
		return nil, nil
	}
	v, err := e.Value()
	return &store.Bound{Value: v, Inclusive: e.Inclusive}, err
}

// NodeByRange finds nodes by an index whose values are in order; once for all rows, where nodes may be kept (not nil).
func NodeByRange(f *frame.Frame, input frame.Input, slot int, index store.Index, from, to End, kept *Kept,
	next frame.Emit) frame.Emit {
	w := &walk{frame: f, slot: slot, next: next}
	return w.run(input, kept, func(each func(id uint64) bool) error {
		low, err := from.bound()
		if err != nil {
			return err
		}
		high, err := to.bound()
		if err != nil {
			return err
		}
		return f.Graph.Range(index, low, high, each)
	})
}
