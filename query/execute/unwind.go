package execute

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/query/fault"
	"github.com/penstock-db/penstock/query/plan"
)

// unwind makes a row of each element; a value that is no list is its only element.
func (b *builder) unwind(o *plan.Unwind, next emit) emit {
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
			if err := next(); err != nil {
				return err
			}
		}
		return nil
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
