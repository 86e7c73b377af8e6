package execute

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
)

// listComprehension is [variable IN list WHERE where | result].
func (b *builder) listComprehension(e *ast.ListComprehension, slot int) evaluator {
	f, list, where, result := b.frame, b.expression(e.List), b.predicate(e.Where), b.slotOr(e.Result, slot)
	return func() (value.Value, error) {
		v, err := list()
		if err != nil || v.IsNull() {
			return v, err
		}
		elements, err := elementsOf(v)
		if err != nil {
			return v, err
		}
		before, t, all := f.memory.temporary, f.tally("a list"), []value.Value{}
		defer t.clear()
		for _, element := range elements {
			if err := f.tick(); err != nil {
				return v, err
			}
			f.row[slot] = element
			if where != nil {
				if ok, err := where(); err != nil {
					return v, err
				} else if !ok {
					continue
				}
			}
			if all, err = appended(t, all, result); err != nil {
				return v, err
			}
		}
		t.clear()
		f.settle(before)
		return f.built(value.OfList(all))
	}
}

// appended is a list with what an expression gives. Until it is whole, a tally has what it takes.
func appended(t *tally, list []value.Value, element evaluator) ([]value.Value, error) {
	v, err := element()
	if err != nil {
		return nil, err
	}
	if list, err = grown(t, list, 1); err != nil {
		return nil, err
	}
	return append(list, v), t.add(v.Size() - valueBytes)
}

// slotOr is the expression, or where there is none the value in the slot.
func (b *builder) slotOr(e ast.Expression, slot int) evaluator {
	if e != nil {
		return b.expression(e)
	}
	f := b.frame
	return func() (value.Value, error) { return f.row[slot], nil }
}

// reduce folds a list.
func (b *builder) reduce(e *ast.Reduce, accumulator, slot int) evaluator {
	f, list, initial, result := b.frame, b.expression(e.List), b.expression(e.Initial), b.expression(e.Result)
	return func() (value.Value, error) {
		v, err := list()
		if err != nil || v.IsNull() {
			return v, err
		}
		elements, err := elementsOf(v)
		if err != nil {
			return v, err
		}
		before := f.memory.temporary
		so, err := initial()
		for i := 0; i < len(elements) && err == nil; i++ {
			f.row[accumulator], f.row[slot] = so, elements[i]
			if so, err = result(); err == nil {
				err = firstOf(f.become(before, so), f.tick())
			}
		}
		return so, err
	}
}
