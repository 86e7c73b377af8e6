package execute

import (
	"errors"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/plan"
)

// nested runs the plan of an expression for the row.
func (b *builder) nested(e *plan.Nested) evaluator {
	switch e.Use {
	case plan.ToTest:
		first := b.first(e.Root, nothing)
		return func() (value.Value, error) {
			found, err := first()
			return value.OfBool(found), err
		}
	case plan.ToFirst:
		var v value.Value
		result := b.expression(e.Result)
		first := b.first(e.Root, func() (err error) {
			v, err = result()
			return err
		})
		return func() (value.Value, error) {
			v = value.Value{}
			_, err := first()
			return v, err
		}
	case plan.ToCount:
		return b.nestedCount(e)
	}
	return b.nestedList(e)
}

// first runs a plan until it has made one row, which then is done something with, and tells
// whether there was any.
func (b *builder) first(root plan.Operator, then emit) func() (bool, error) {
	done := &enough{root.Number()}
	run := b.operator(root, func() error { return firstOf(then(), done) })
	return func() (bool, error) {
		err := run()
		if errors.Is(err, done) {
			return true, nil
		}
		return false, err
	}
}

func (b *builder) nestedCount(e *plan.Nested) evaluator {
	f, count := b.frame, int64(0)
	run := b.operator(e.Root, func() error {
		if e.Weight < 0 {
			count++
		} else {
			count += f.row[e.Weight].Int()
		}
		return nil
	})
	return func() (value.Value, error) {
		count = 0
		err := run()
		return value.OfInt(count), err
	}
}

func (b *builder) nestedList(e *plan.Nested) evaluator {
	var all []value.Value
	f, t, result := b.frame, b.tally("a list"), b.expression(e.Result)
	run := b.operator(e.Root, func() (err error) {
		all, err = appended(t, all, result)
		return err
	})
	return func() (value.Value, error) {
		all = nil
		defer t.clear()
		if err := run(); err != nil {
			return value.Value{}, err
		}
		t.clear()
		return f.built(value.OfList(all))
	}
}
