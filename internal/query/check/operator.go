package check

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
)

func (at env) unary(e *ast.Unary) Type {
	switch e.Op {
	case ast.Not:
		at.deciding().logical(e.Operand) // so that a column may be NOT (a)-->(b), as in Neo4j
		return of(value.Bool, value.Null)
	case ast.IsNull, ast.IsNotNull:
		at.value().expression(e.Operand)
		return of(value.Bool)
	}
	return at.needs(e.Operand, numbers|KindsOf(value.Duration), "a sign is of a number or Duration")
}

// logical checks an operand of NOT, AND, OR and XOR: conditions, if the whole is one.
func (at env) logical(e ast.Expression) {
	if t := at.expression(e); !t.may(boolean) {
		at.syntax("InvalidArgumentType", e.At(), "a Boolean is needed here, this is a %s", t.kinds)
	}
}

func (at env) binary(e *ast.Binary) Type {
	switch e.Op {
	case ast.And, ast.Or, ast.Xor:
		at.logical(e.Left)
		at.logical(e.Right)
		return of(value.Bool, value.Null)
	case ast.In:
		at.value().expression(e.Left)
		at.needs(e.Right, KindsOf(value.List), "IN looks into a List")
		return of(value.Bool, value.Null)
	case ast.Add:
		return sum(at.value().expression(e.Left), at.value().expression(e.Right))
	case ast.Concatenate:
		joined := KindsOf(value.String, value.List)
		return sum(at.needs(e.Left, joined, "|| joins two strings or two lists"),
			at.needs(e.Right, joined, "|| joins two strings or two lists"))
	case ast.Subtract, ast.Multiply, ast.Divide:
		return at.arithmetic(e, numbers|temporals)
	case ast.Modulo, ast.Power:
		return at.arithmetic(e, numbers)
	}
	at.value().expression(e.Left)
	at.value().expression(e.Right)
	return of(value.Bool, value.Null)
}

// arithmetic checks operands that have to be numbers, or what can be counted with as well.
func (at env) arithmetic(e *ast.Binary, kinds Kinds) Type {
	left := at.needs(e.Left, kinds, "this operator needs numbers")
	right := at.needs(e.Right, kinds, "this operator needs numbers")
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
