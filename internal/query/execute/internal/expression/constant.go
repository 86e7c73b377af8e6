package expression

import (
	"slices"

	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/function"
)

// constant tells whether an expression is the same for all rows of a run.
func constant(e ast.Expression) bool {
	switch e := e.(type) {
	case nil, *ast.Literal, *ast.Parameter:
		return true
	case *ast.ListLiteral, *ast.MapLiteral, *ast.Unary, *ast.Binary, *ast.Index, *ast.Slice, *ast.Case:
		return constants(ast.Operands(e))
	case *ast.Call:
		f, ok := function.Lookup(e.Function)
		return ok && f.Pure && f.Call != nil && constants(e.Arguments)
	}
	return false
}

func constants(list []ast.Expression) bool {
	return !slices.ContainsFunc(list, func(e ast.Expression) bool { return !constant(e) })
}
