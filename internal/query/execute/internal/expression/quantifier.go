package expression

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// quantifier is all, any, none and single, with null for what can't be known.
func quantifier(f *frame.Frame, kind ast.QuantifierKind, slot int, list, where Evaluator) Evaluator {
	return func() (value.Value, error) {
		v, err := list()
		if err != nil || v.IsNull() {
			return v, err
		}
		elements, err := Elements(v)
		if err != nil {
			return v, err
		}
		var c census
		for _, element := range elements {
			f.Row[slot] = element
			v, err := where()
			if err != nil {
				return v, err
			}
			if err := frame.FirstOf(c.add(v), f.Tick()); err != nil {
				return v, err
			}
		}
		return c.decide(kind), nil
	}
}

// census counts of how many elements a condition is true, false and null.
type census struct{ yes, no, unknown int }

func (c *census) add(v value.Value) error {
	switch {
	case v.IsNull():
		c.unknown++
	case v.Kind() != value.Bool:
		return fault.Met(fault.TypeError, "InvalidArgumentType", "a condition is a Boolean, not the %s %s", v.Kind(),
			v.Text())
	case v.Bool():
		c.yes++
	default:
		c.no++
	}
	return nil
}

func (c *census) decide(kind ast.QuantifierKind) value.Value {
	switch {
	case kind == ast.All && c.no > 0, kind == ast.None && c.yes > 0, kind == ast.Single && c.yes > 1:
		return value.OfBool(false)
	case kind == ast.Any && c.yes > 0:
		return value.OfBool(true)
	case c.unknown > 0:
		return value.Value{}
	case kind == ast.Any:
		return value.OfBool(false)
	case kind == ast.Single:
		return value.OfBool(c.yes == 1)
	}
	return value.OfBool(true)
}
