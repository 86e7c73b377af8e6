package expression

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/budget"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// Elements of a list; null has none.
func Elements(v value.Value) ([]value.Value, error) {
	switch v.Kind() {
	case value.List:
		return v.List(), nil
	case value.Null:
		return nil, nil
	}
	return nil, fault.Met(fault.TypeError, "InvalidArgumentType", "a List is needed, not the %s %s", v.Kind(), v.Text())
}

// listComprehension is [variable IN list WHERE where | result], with the variable in a slot; where may be nil.
func listComprehension(f *frame.Frame, slot int, list Evaluator, where Predicate, result Evaluator) Evaluator {
	return func() (value.Value, error) {
		v, err := list()
		if err != nil || v.IsNull() {
			return v, err
		}
		elements, err := Elements(v)
		if err != nil {
			return v, err
		}
		return collected(f, slot, elements, where, result)
	}
}

// collected is the list of what an expression gives for the elements that fulfill a condition.
func collected(f *frame.Frame, slot int, elements []value.Value, where Predicate, result Evaluator) (value.Value,
	error) {
	before, t, all := f.Budget.Temporary(), f.Budget.Tally("a list"), []value.Value{}
	defer t.Clear()
	for _, element := range elements {
		if err := f.Tick(); err != nil {
			return value.Value{}, err
		}
		f.Row[slot] = element
		if where != nil {
			if ok, err := where(); err != nil {
				return value.Value{}, err
			} else if !ok {
				continue
			}
		}
		var err error
		if all, err = appended(t, all, result); err != nil {
			return value.Value{}, err
		}
	}
	t.Clear()
	f.Budget.Settle(before)
	return f.Budget.Built(value.OfList(all))
}

// appended is a list with what an expression gives. Until it is whole, a tally has what it takes.
func appended(t *budget.Tally, list []value.Value, element Evaluator) ([]value.Value, error) {
	v, err := element()
	if err != nil {
		return nil, err
	}
	if list, err = budget.Grown(t, list, 1); err != nil {
		return nil, err
	}
	return append(list, v), t.Add(v.Size() - budget.ValueBytes)
}

// reduce folds a list, with what it is so far and each element in slots.
func reduce(f *frame.Frame, accumulator, slot int, list, initial, result Evaluator) Evaluator {
	return func() (value.Value, error) {
		v, err := list()
		if err != nil || v.IsNull() {
			return v, err
		}
		elements, err := Elements(v)
		if err != nil {
			return v, err
		}
		before := f.Budget.Temporary()
		so, err := initial()
		for i := 0; i < len(elements) && err == nil; i++ {
			f.Row[accumulator], f.Row[slot] = so, elements[i]
			if so, err = result(); err == nil {
				err = frame.FirstOf(f.Budget.Become(before, so), f.Tick())
			}
		}
		return so, err
	}
}
