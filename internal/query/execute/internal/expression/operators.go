package expression

import (
	"math"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/execute/internal/entity"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/function"
)

func unary(operator func(value.Value) (value.Value, error), operand Evaluator) Evaluator {
	return func() (value.Value, error) {
		v, err := operand()
		if err != nil {
			return v, err
		}
		return operator(v)
	}
}

func binary(f *frame.Frame, op ast.BinaryOp, left, right Evaluator) Evaluator {
	operator := between(f, op)
	decided := map[ast.BinaryOp]func(value.Value) bool{ast.And: isFalse, ast.Or: isTrue}[op]
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
func between(f *frame.Frame, op ast.BinaryOp) function.Operator {
	switch op {
	case ast.Add:
		return f.Call.Add // it asks for memory
	case ast.Concatenate:
		return func(a, b value.Value) (value.Value, error) {
			if err := function.Concatenable(a, b); err != nil {
				return value.Value{}, err
			}
			return f.Call.Add(a, b)
		}
	}
	return function.Binary(op)
}

func isTrue(v value.Value) bool  { return v.Kind() == value.Bool && v.Bool() }
func isFalse(v value.Value) bool { return v.Kind() == value.Bool && !v.Bool() }

// index is subject[index]; nodes and relationships are indexed by key.
func index(f *frame.Frame, subject, index Evaluator) Evaluator {
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
			key := frame.NewName(i.Str())
			return entity.Named(f.Graph, v, &key)
		}
		return function.Index(v, i)
	}
}

// first and last are the bounds of a slice that has none.
var first, last = always(value.OfInt(0)), always(value.OfInt(math.MaxInt64))

func slice(list, from, to Evaluator) Evaluator {
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
