package check

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
)

func (c *checker) unary(e *ast.Unary, at env) Type {
	switch e.Op {
	case ast.Not:
		c.logical(e.Operand, at)
		return of(value.Bool, value.Null)
	case ast.IsNull, ast.IsNotNull:
		c.expression(e.Operand, at.value())
		return of(value.Bool)
	}
	return c.needs(e.Operand, at, numbers|KindsOf(value.Duration), "a sign is of a number or Duration")
}

// logical checks an operand of NOT, AND, OR and XOR: conditions, if the whole is one.
func (c *checker) logical(e ast.Expression, at env) {
	if t := c.expression(e, at); !t.may(boolean) {
		c.syntax("InvalidArgumentType", e.At(), "a Boolean is needed here, this is a %s", t.kinds)
	}
}

func (c *checker) binary(e *ast.Binary, at env) Type {
	switch e.Op {
	case ast.And, ast.Or, ast.Xor:
		c.logical(e.Left, at)
		c.logical(e.Right, at)
		return of(value.Bool, value.Null)
	case ast.In:
		c.expression(e.Left, at.value())
		c.needs(e.Right, at, KindsOf(value.List), "IN looks into a List")
		return of(value.Bool, value.Null)
	case ast.Add:
		return sum(c.expression(e.Left, at.value()), c.expression(e.Right, at.value()))
	case ast.Subtract, ast.Multiply, ast.Divide:
		return c.arithmetic(e, numbers|temporals, at)
	case ast.Modulo, ast.Power:
		return c.arithmetic(e, numbers, at)
	}
	c.expression(e.Left, at.value())
	c.expression(e.Right, at.value())
	return of(value.Bool, value.Null)
}

// arithmetic checks operands that have to be numbers, or what can be counted with as well.
func (c *checker) arithmetic(e *ast.Binary, kinds Kinds, at env) Type {
	left := c.needs(e.Left, at, kinds, "this operator needs numbers")
	right := c.needs(e.Right, at, kinds, "this operator needs numbers")
	if (left.kinds|right.kinds)&^(numbers|null) == 0 {
		return of(value.Int, value.Float, value.Null)
	}
	return anything
}

// sum is what + gives: it also joins texts and lists.
func sum(left, right Type) Type {
	switch both := left.kinds | right.kinds; {
	case both&^(numbers|null) == 0:
		return of(value.Int, value.Float, value.Null)
	case left.kinds == KindsOf(value.List) || right.kinds == KindsOf(value.List):
		return of(value.List, value.Null)
	}
	return anything
}
