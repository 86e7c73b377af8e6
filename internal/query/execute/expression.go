package execute

import (
	"fmt"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/function"
	"github.com/penstock-db/penstock/internal/query/plan"
)

// evaluator gives the value of an expression for the row that the frame has.
type evaluator func() (value.Value, error)

// expression compiles an expression. What is the same for all rows is computed at once; if that
// fails, it fails again for the first row that asks for it, and not where there is none.
func (b *builder) expression(e ast.Expression) evaluator {
	evaluate := b.compile(e)
	if _, literal := e.(*ast.Literal); literal || b.err != nil || !constant(e) {
		return evaluate
	}
	if v, err := evaluate(); err == nil {
		return always(v)
	}
	return evaluate
}

func always(v value.Value) evaluator {
	return func() (value.Value, error) { return v, nil }
}

func (b *builder) expressions(list []ast.Expression) []evaluator {
	all := make([]evaluator, len(list))
	for i, e := range list {
		all[i] = b.expression(e)
	}
	return all
}

// some is the expression, or null where there is none.
func (b *builder) some(e ast.Expression) evaluator {
	if e == nil {
		return always(value.Value{})
	}
	return b.expression(e)
}

func (b *builder) compile(e ast.Expression) evaluator {
	switch e := e.(type) {
	case *ast.Literal:
		return always(e.Value)
	case *plan.Slot:
		return b.slot(e)
	case *ast.Parameter:
		return b.parameter(e)
	case *ast.Property:
		return b.property(e)
	case *ast.HasLabels:
		return b.hasLabels(e)
	case *plan.HasProperties:
		return b.hasProperties(e)
	case *ast.ListLiteral:
		return b.listLiteral(e)
	case *ast.MapLiteral:
		return b.mapLiteral(e)
	case *ast.MapProjection:
		return b.mapProjection(e)
	case *ast.Unary:
		return b.unary(e)
	case *ast.Binary:
		return b.binary(e)
	}
	return b.compileOther(e)
}

func (b *builder) compileOther(e ast.Expression) evaluator {
	switch e := e.(type) {
	case *ast.Index:
		return b.index(e)
	case *ast.Slice:
		return b.slice(e)
	case *ast.Call:
		return b.functionCall(e)
	case *ast.Case:
		return b.caseExpression(e)
	case *plan.Local:
		return b.local(e)
	case *plan.Nested:
		return b.nested(e)
	}
	b.fail(fault.New(fault.SyntaxError, "UnexpectedSyntax", e.At(), "this is not possible here (%s)", plan.Text(e)))
	return always(value.Value{})
}

func (b *builder) local(e *plan.Local) evaluator {
	switch inner := e.Expression.(type) {
	case *ast.ListComprehension:
		return b.listComprehension(inner, e.Slots[0])
	case *ast.Quantifier:
		return b.quantifier(inner, e.Slots[0])
	case *ast.Reduce:
		return b.reduce(inner, e.Slots[0], e.Slots[1])
	}
	b.fail(fmt.Errorf("execute: %T has no variables of its own", e.Expression))
	return always(value.Value{})
}

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
	for _, e := range list {
		if !constant(e) {
			return false
		}
	}
	return true
}

func (b *builder) slot(e *plan.Slot) evaluator {
	row, i := b.row, e.Index
	return func() (value.Value, error) { return row[i], nil }
}

func (b *builder) parameter(e *ast.Parameter) evaluator {
	v, ok := b.params[e.Name]
	if !ok {
		b.fail(fault.New(fault.ParameterMissing, "MissingParameter", e.Position, "the parameter $%s is not given", e.Name))
	}
	return always(v)
}
