// Package expression compiles the expressions of a plan to closures over the row of a frame.
package expression

import (
	"fmt"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/execute/internal/entity"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/function"
	"github.com/penstock-db/penstock/internal/query/plan"
)

// Evaluator gives the value of an expression for the row that the frame has.
type Evaluator func() (value.Value, error)

// Compiler compiles expressions for one frame. It keeps the first fault that it meets.
type Compiler struct {
	frame   *frame.Frame
	subplan func(root plan.Operator, next frame.Emit) frame.Emit
	err     error
}

// NewCompiler makes a compiler, which has subplan build the plans within expressions.
func NewCompiler(f *frame.Frame, subplan func(root plan.Operator, next frame.Emit) frame.Emit) *Compiler {
	return &Compiler{frame: f, subplan: subplan}
}

// Fail keeps a fault, unless there is one.
func (c *Compiler) Fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// Err is the first fault; nil: there was none.
func (c *Compiler) Err() error { return c.err }

// Expression compiles an expression. What is the same for all rows is computed at once; if that
// fails, it fails again for the first row that asks for it, and not where there is none.
func (c *Compiler) Expression(e ast.Expression) Evaluator {
	evaluate := c.compile(e)
	if _, literal := e.(*ast.Literal); literal || c.err != nil || !constant(e) {
		return evaluate
	}
	if v, err := evaluate(); err == nil {
		return always(v)
	}
	return evaluate
}

func always(v value.Value) Evaluator {
	return func() (value.Value, error) { return v, nil }
}

// Expressions compiles several.
func (c *Compiler) Expressions(list []ast.Expression) []Evaluator {
	all := make([]Evaluator, len(list))
	for i, e := range list {
		all[i] = c.Expression(e)
	}
	return all
}

// Some is the expression, or null where there is none.
func (c *Compiler) Some(e ast.Expression) Evaluator { return c.or(e, always(value.Value{})) }

// or is the expression, or what is given where there is none.
func (c *Compiler) or(e ast.Expression, otherwise Evaluator) Evaluator {
	if e == nil {
		return otherwise
	}
	return c.Expression(e)
}

// Entries compiles the properties that a map gives; none where there is no map.
func (c *Compiler) Entries(e ast.Expression) func() ([]value.Entry, error) {
	if e == nil {
		return func() ([]value.Entry, error) { return nil, nil }
	}
	properties, f := c.Expression(e), c.frame
	return func() ([]value.Entry, error) {
		v, err := properties()
		if err != nil {
			return nil, err
		}
		return entity.Entries(f, v)
	}
}

// compile compiles an expression of its operands, which it compiles first.
func (c *Compiler) compile(e ast.Expression) Evaluator {
	switch e := e.(type) {
	case *ast.Literal:
		return always(e.Value)
	case *plan.Slot:
		return slot(c.frame, e.Index)
	case *ast.Parameter:
		return c.parameter(e)
	case *ast.Property:
		return c.property(e)
	case *ast.HasLabels:
		return hasLabels(c.frame, e.Labels, c.Expression(e.Subject))
	case *plan.HasProperties:
		return hasProperties(c.frame, slot(c.frame, e.Subject.Index), c.Entries(e.Expression))
	case *ast.ListLiteral:
		return listLiteral(c.frame, c.Expressions(e.Elements))
	case *ast.MapLiteral:
		return c.mapLiteral(e)
	case *ast.MapProjection:
		return c.mapProjection(e)
	case *ast.Unary:
		return unary(function.Unary(e.Op), c.Expression(e.Operand))
	case *ast.Binary:
		return binary(c.frame, e.Op, c.Expression(e.Left), c.Expression(e.Right))
	}
	return c.compileOther(e)
}

func (c *Compiler) compileOther(e ast.Expression) Evaluator {
	switch e := e.(type) {
	case *ast.Index:
		return index(c.frame, c.Expression(e.Subject), c.Expression(e.Index))
	case *ast.Slice:
		return slice(c.Expression(e.Subject), c.or(e.From, first), c.or(e.To, last))
	case *ast.Call:
		return c.call(e)
	case *ast.Case:
		return caseOf(c.or(e.Subject, nil), c.Expressions(e.When), c.Expressions(e.Then), c.Some(e.Else))
	case *plan.Local:
		return c.local(e)
	case *plan.Nested:
		return c.nested(e)
	}
	c.Fail(fault.New(fault.SyntaxError, "UnexpectedSyntax", e.At(), "this is not possible here (%s)", plan.Text(e)))
	return always(value.Value{})
}

// local compiles an expression with variables of its own.
func (c *Compiler) local(e *plan.Local) Evaluator {
	switch inner := e.Expression.(type) {
	case *ast.ListComprehension:
		at := e.Slots[0]
		return listComprehension(c.frame, at, c.Expression(inner.List), c.Predicate(inner.Where),
			c.or(inner.Result, slot(c.frame, at)))
	case *ast.Quantifier:
		at := e.Slots[0]
		return quantifier(c.frame, inner.Kind, at, c.Expression(inner.List), c.or(inner.Where, slot(c.frame, at)))
	case *ast.Reduce:
		return reduce(c.frame, e.Slots[0], e.Slots[1], c.Expression(inner.List), c.Expression(inner.Initial),
			c.Expression(inner.Result))
	}
	c.Fail(fmt.Errorf("execute: %T has no variables of its own", e.Expression))
	return always(value.Value{})
}

func (c *Compiler) parameter(e *ast.Parameter) Evaluator {
	v, ok := c.frame.Params[e.Name]
	if !ok {
		c.Fail(fault.New(fault.ParameterMissing, "MissingParameter", e.Position, "the parameter $%s is not given", e.Name))
	}
	return always(v)
}

func slot(f *frame.Frame, i int) Evaluator {
	row := f.Row
	return func() (value.Value, error) { return row[i], nil }
}
