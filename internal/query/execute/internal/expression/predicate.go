package expression

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// Predicate tells whether a condition is true, and not false or null.
type Predicate func() (bool, error)

// Predicate compiles a condition; nil: there is none.
func (c *Compiler) Predicate(e ast.Expression) Predicate {
	if e == nil {
		return nil
	}
	if both, ok := e.(*ast.Binary); ok && both.Op == ast.And {
		return conjunction(c.Predicate(both.Left), c.Predicate(both.Right))
	}
	condition := c.Expression(e)
	return func() (bool, error) {
		v, err := condition()
		if err != nil || v.IsNull() {
			return false, err
		}
		if v.Kind() != value.Bool {
			return false, fault.Met(fault.TypeError, "InvalidArgumentType", "a condition is a Boolean, not the %s %s", v.Kind(),
				v.Text())
		}
		return v.Bool(), nil
	}
}

func conjunction(left, right Predicate) Predicate {
	return func() (bool, error) {
		if ok, err := left(); !ok {
			return false, err
		}
		return right()
	}
}
