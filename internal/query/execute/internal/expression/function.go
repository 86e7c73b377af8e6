package expression

import (
	"strings"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/function"
	"github.com/penstock-db/penstock/internal/query/plan"
	"github.com/penstock-db/penstock/internal/query/procedure"
)

// call compiles a call of a function of the graph, or of one of package function.
func (c *Compiler) call(e *ast.Call) Evaluator {
	arguments := c.Expressions(e.Arguments)
	if strings.EqualFold(e.Function, "exists") && len(arguments) == 1 {
		return existing(e.Arguments[0], arguments[0])
	}
	if compute, ok := entityFunctions[strings.ToLower(e.Function)]; ok && len(arguments) == 1 {
		return entityCall(c.frame, compute, arguments[0])
	}
	if f, ok := c.frame.Procedures.Function(e.Function); ok {
		return graphCall(c.frame, f, arguments)
	}
	f, ok := function.Lookup(e.Function)
	if !ok || f.Call == nil {
		c.Fail(fault.New(fault.SyntaxError, "UnknownFunction", e.Position, "there is no function `%s` here", e.Function))
		return always(value.Value{})
	}
	return functionCall(&c.frame.Call, f, arguments)
}

func functionCall(call *function.Call, f *function.Function, arguments []Evaluator) Evaluator {
	values := make([]value.Value, len(arguments))
	return func() (value.Value, error) {
		for i, argument := range arguments {
			v, err := argument()
			if err != nil {
				return v, err
			}
			values[i] = v
		}
		return f.Call(call, values)
	}
}

// graphCall is a function that asks for the graph.
func graphCall(f *frame.Frame, called *procedure.Function, arguments []Evaluator) Evaluator {
	values := make([]value.Value, len(arguments))
	return func() (value.Value, error) {
		for i, argument := range arguments {
			v, err := argument()
			if err != nil {
				return v, err
			}
			values[i] = v
		}
		return called.Compute(f.Graph, values)
	}
}

func entityCall(f *frame.Frame, compute entityFunction, argument Evaluator) Evaluator {
	return func() (value.Value, error) {
		v, err := argument()
		if err != nil || v.IsNull() {
			return v, err
		}
		return compute(f, v)
	}
}

// existing is exists(): whether a pattern is there, or a property is not null.
func existing(e ast.Expression, argument Evaluator) Evaluator {
	if _, pattern := e.(*plan.Nested); pattern {
		return argument
	}
	return func() (value.Value, error) {
		v, err := argument()
		return value.OfBool(!v.IsNull()), err
	}
}
