package execute

import (
	"strings"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/function"
	"github.com/penstock-db/penstock/internal/query/plan"
)

// unwind makes a row of each element; a value that is no list is its only element.
func (b *builder) unwind(o *plan.Unwind, next emit) emit {
	if call, ok := o.List.(*ast.Call); ok && strings.EqualFold(call.Function, "range") {
		return b.unwindRange(o, call, next)
	}
	list, f := b.expression(o.List), b.frame
	return b.operator(o.Input, func() error {
		v, err := list()
		if err != nil || v.IsNull() {
			return err
		}
		elements := []value.Value{v}
		if v.Kind() == value.List {
			elements = v.List()
		}
		for _, element := range elements {
			f.row[o.Slot] = element
			if err := f.tick(); err != nil {
				return err
			}
			if err := f.pass(next); err != nil {
				return err
			}
		}
		return nil
	})
}

// unwindRange makes a row of each integer of a range(), without making the list.
func (b *builder) unwindRange(o *plan.Unwind, call *ast.Call, next emit) emit {
	bounds, f := b.expressions(call.Arguments), b.frame
	args := make([]value.Value, len(bounds))
	return b.operator(o.Input, func() (err error) {
		for i, bound := range bounds {
			if args[i], err = bound(); err != nil {
				return err
			}
		}
		p, err := function.ProgressionOf(args)
		for i := uint64(0); err == nil && i < p.Count; i++ {
			f.row[o.Slot] = value.OfInt(p.At(i))
			if err = f.tick(); err == nil {
				err = f.pass(next)
			}
		}
		return err
	})
}

// elementsOf a list; null has none.
func elementsOf(v value.Value) ([]value.Value, error) {
	switch v.Kind() {
	case value.List:
		return v.List(), nil
	case value.Null:
		return nil, nil
	}
	return nil, fault.Met(fault.TypeError, "InvalidArgumentType", "a List is needed, not the %s %s", v.Kind(), v.Text())
}
