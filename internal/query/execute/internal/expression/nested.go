package expression

import (
	"errors"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/plan"
)

// nested compiles the plan of an expression, which is run for each row.
func (c *Compiler) nested(e *plan.Nested) Evaluator {
	input := func(next frame.Emit) frame.Emit { return c.subplan(e.Root, next) }
	switch e.Use {
	case plan.ToTest:
		return nestedTest(input)
	case plan.ToFirst:
		return nestedFirst(input, c.Expression(e.Result))
	case plan.ToCount:
		return nestedCount(c.frame, input, e.Weight)
	}
	return nestedList(c.frame, input, c.Expression(e.Result))
}

// found ends a plan of which one row is enough. Each has its own, so that an inner one does not end
// an outer walk.
type found struct{ _ byte }

func (*found) Error() string { return "enough rows" }

// firstRow runs a plan until it has made one row, which then is done something with, and tells
// whether there was any.
func firstRow(input frame.Input, then frame.Emit) func() (bool, error) {
	done := new(found)
	run := input(func() error { return frame.FirstOf(then(), done) })
	return func() (bool, error) {
		err := run()
		if errors.Is(err, done) {
			return true, nil
		}
		return false, err
	}
}

func nestedTest(input frame.Input) Evaluator {
	first := firstRow(input, frame.Nothing)
	return func() (value.Value, error) {
		found, err := first()
		return value.OfBool(found), err
	}
}

func nestedFirst(input frame.Input, result Evaluator) Evaluator {
	var v value.Value
	first := firstRow(input, func() (err error) {
		v, err = result()
		return err
	})
	return func() (value.Value, error) {
		v = value.Value{}
		_, err := first()
		return v, err
	}
}

// nestedCount counts rows; a slot says for how many each stands, unless it is < 0.
func nestedCount(f *frame.Frame, input frame.Input, weight int) Evaluator {
	count := int64(0)
	run := input(func() error {
		if weight < 0 {
			count++
		} else {
			count += f.Row[weight].Int()
		}
		return nil
	})
	return func() (value.Value, error) {
		count = 0
		err := run()
		return value.OfInt(count), err
	}
}

func nestedList(f *frame.Frame, input frame.Input, result Evaluator) Evaluator {
	var all []value.Value
	t := f.Budget.Tally("a list")
	run := input(func() (err error) {
		all, err = appended(t, all, result)
		return err
	})
	return func() (value.Value, error) {
		all = nil
		defer t.Clear()
		if err := run(); err != nil {
			return value.Value{}, err
		}
		t.Clear()
		return f.Budget.Built(value.OfList(all))
	}
}
