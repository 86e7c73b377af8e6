package check

import (
	"slices"
	"strings"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
)

// same tells whether two expressions are written alike, but for blanks and the case of functions.
func same(a, b ast.Expression) bool {
	if a == nil || b == nil {
		return a == b
	}
	return sameNode(a, b) && slices.EqualFunc(ast.Operands(a), ast.Operands(b), same)
}

// sameNode compares expressions without their operands. Those with patterns are never the same.
func sameNode(a, b ast.Expression) bool {
	switch a := a.(type) {
	case *ast.Literal:
		b, ok := b.(*ast.Literal)
		return ok && a.Value.Kind() == b.Value.Kind() && value.Equivalent(a.Value, b.Value)
	case *ast.Variable:
		b, ok := b.(*ast.Variable)
		return ok && a.Name == b.Name
	case *ast.Parameter:
		b, ok := b.(*ast.Parameter)
		return ok && a.Name == b.Name
	case *ast.Property:
		b, ok := b.(*ast.Property)
		return ok && a.Key == b.Key
	case *ast.HasLabels:
		b, ok := b.(*ast.HasLabels)
		return ok && slices.Equal(a.Labels, b.Labels)
	case *ast.MapLiteral:
		b, ok := b.(*ast.MapLiteral)
		return ok && slices.Equal(a.Keys, b.Keys)
	case *ast.Unary:
		b, ok := b.(*ast.Unary)
		return ok && a.Op == b.Op
	case *ast.Binary:
		b, ok := b.(*ast.Binary)
		return ok && a.Op == b.Op
	case *ast.Call:
		b, ok := b.(*ast.Call)
		return ok && strings.EqualFold(a.Function, b.Function) && a.Distinct == b.Distinct
	}
	return sameScoped(a, b)
}

// sameScoped compares expressions with variables of their own, which have to have the same names.
func sameScoped(a, b ast.Expression) bool {
	switch a := a.(type) {
	case *ast.ListComprehension:
		b, ok := b.(*ast.ListComprehension)
		return ok && a.Variable == b.Variable
	case *ast.Quantifier:
		b, ok := b.(*ast.Quantifier)
		return ok && a.Kind == b.Kind && a.Variable == b.Variable
	case *ast.Reduce:
		b, ok := b.(*ast.Reduce)
		return ok && a.Accumulator == b.Accumulator && a.Variable == b.Variable
	case *ast.MapProjection:
		b, ok := b.(*ast.MapProjection)
		return ok && slices.EqualFunc(a.Items, b.Items, func(a, b ast.MapProjectionItem) bool {
			return a.All == b.All &&
				a.Key == b.Key
		})
	}
	return sameShape(a, b)
}

// sameShape compares expressions that consist of their operands only.
func sameShape(a, b ast.Expression) bool {
	ok := false
	switch a.(type) {
	case *ast.ListLiteral:
		_, ok = b.(*ast.ListLiteral)
	case *ast.Index:
		_, ok = b.(*ast.Index)
	case *ast.Slice:
		_, ok = b.(*ast.Slice)
	case *ast.CountStar:
		_, ok = b.(*ast.CountStar)
	case *ast.Case:
		_, ok = b.(*ast.Case)
	}
	return ok
}
