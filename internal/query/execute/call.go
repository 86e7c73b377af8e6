package execute

import (
	"strings"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/function"
	"github.com/penstock-db/penstock/internal/query/plan"
)

// functionCall is a function of the graph, or one of package function.
func (b *builder) functionCall(e *ast.Call) evaluator {
	arguments := b.expressions(e.Arguments)
	if strings.EqualFold(e.Function, "exists") && len(arguments) == 1 {
		return existing(e.Arguments[0], arguments[0])
	}
	if f, ok := entityFunctions[strings.ToLower(e.Function)]; ok && len(arguments) == 1 {
		return b.entityCall(f, arguments[0])
	}
	f, ok := function.Lookup(e.Function)
	if !ok || f.Call == nil {
		b.fail(fault.New(fault.SyntaxError, "UnknownFunction", e.Position, "there is no function `%s` here", e.Function))
		return always(value.Value{})
	}
	call, values := &b.call, make([]value.Value, len(arguments))
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

func (b *builder) entityCall(compute entityFunction, argument evaluator) evaluator {
	f := b.frame
	return func() (value.Value, error) {
		v, err := argument()
		if err != nil || v.IsNull() {
			return v, err
		}
		return compute(f, v)
	}
}

// existing is exists(): whether a pattern is there, or a property is not null.
func existing(e ast.Expression, argument evaluator) evaluator {
	if _, pattern := e.(*plan.Nested); pattern {
		return argument
	}
	return func() (value.Value, error) {
		v, err := argument()
		return value.OfBool(!v.IsNull()), err
	}
}
