package execute

import (
	"math"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/function"
)

func (b *builder) unary(e *ast.Unary) evaluator {
	operand, operator := b.expression(e.Operand), function.Unary(e.Op)
	return func() (value.Value, error) {
		v, err := operand()
		if err != nil {
			return v, err
		}
		return operator(v)
	}
}

func (b *builder) binary(e *ast.Binary) evaluator {
	left, right, operator := b.expression(e.Left), b.expression(e.Right), b.between(e.Op)
	decided := map[ast.BinaryOp]func(value.Value) bool{ast.And: isFalse, ast.Or: isTrue}[e.Op]
	return func() (value.Value, error) {
		x, err := left()
		if err != nil || decided != nil && decided(x) {
			return x, err
		}
		y, err := right()
		if err != nil {
			return y, err
		}
		return operator(x, y)
	}
}

// between is what an operator computes of its operands.
func (b *builder) between(op ast.BinaryOp) function.Operator {
	if op == ast.Add {
		return b.call.Add // it asks for memory
	}
	return function.Binary(op)
}

func isTrue(v value.Value) bool  { return v.Kind() == value.Bool && v.Bool() }
func isFalse(v value.Value) bool { return v.Kind() == value.Bool && !v.Bool() }

// index is subject[index]; nodes and relationships are indexed by key.
func (b *builder) index(e *ast.Index) evaluator {
	f, subject, index := b.frame, b.expression(e.Subject), b.expression(e.Index)
	return func() (value.Value, error) {
		v, err := subject()
		if err != nil {
			return v, err
		}
		i, err := index()
		if err != nil {
			return i, err
		}
		if (v.Kind() == value.Node || v.Kind() == value.Relationship) && i.Kind() == value.String {
			return f.named(v, &name{text: i.Str()})
		}
		return function.Index(v, i)
	}
}

func (b *builder) slice(e *ast.Slice) evaluator {
	list, from, to := b.expression(e.Subject), b.bound(e.From, 0), b.bound(e.To, math.MaxInt64)
	return func() (value.Value, error) {
		v, err := list()
		if err != nil {
			return v, err
		}
		i, err := from()
		if err != nil {
			return i, err
		}
		j, err := to()
		if err != nil {
			return j, err
		}
		return function.Slice(v, i, j)
	}
}

func (b *builder) bound(e ast.Expression, otherwise int64) evaluator {
	if e == nil {
		return always(value.OfInt(otherwise))
	}
	return b.expression(e)
}
