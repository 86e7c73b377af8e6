package lower

import (
	"fmt"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// compiler adds the value of expressions to a function.
type compiler struct {
	*function
	program *algorithms.Program
	checked *exprpb.CheckedExpr
}

// lowerExpr adds what computes e to f.
func lowerExpr(f *function, p *algorithms.Program, e algorithms.Expr) (register, error) {
	c := compiler{function: f, program: p, checked: e.Checked}
	return c.visit(e.Checked.GetExpr())
}

// visit is the value of e.
func (c *compiler) visit(e *exprpb.Expr) (register, error) {
	reference := c.checked.GetReferenceMap()[e.GetId()]
	if reference.GetValue() != nil {
		return c.constant(reference.GetName(), reference.GetValue())
	}
	switch e.GetExprKind().(type) {
	case *exprpb.Expr_IdentExpr, *exprpb.Expr_SelectExpr:
		return c.variable(reference.GetName())
	case *exprpb.Expr_ConstExpr:
		return c.literalOf(e.GetConstExpr())
	case *exprpb.Expr_CallExpr:
		return c.operation(e.GetCallExpr(), reference.GetOverloadId())
	}
	return register{}, unsupported("an expression of kind %T in %s", e.GetExprKind(), c.name)
}

func (c *compiler) literalOf(v *exprpb.Constant) (register, error) {
	switch v := v.GetConstantKind().(type) {
	case *exprpb.Constant_DoubleValue:
		return c.literal(math.Float64bits(v.DoubleValue)), nil
	case *exprpb.Constant_Int64Value:
		return c.literal(uint64(v.Int64Value)), nil
	case *exprpb.Constant_BoolValue:
		if v.BoolValue {
			return c.flag(c.literal(1)), nil
		}
		return c.flag(c.literal(0)), nil
	}
	return register{}, unsupported("the literal %v", v)
}

func (c *compiler) operation(call *exprpb.Expr_Call, overloads []string) (register, error) {
	if len(overloads) != 1 || call.GetTarget() != nil {
		return register{}, unsupported("the call of %q with overloads %q", call.GetFunction(), overloads)
	}
	var args []register
	for _, arg := range call.GetArgs() {
		value, err := c.visit(arg)
		if err != nil {
			return register{}, err
		}
		args = append(args, value)
	}
	return c.operate(overloads[0], args...)
}

// operate is the value of an operator.
func (c *compiler) operate(overload string, args ...register) (register, error) {
	i := slices.IndexFunc(algorithms.Operators, func(o algorithms.Operator) bool { return o.Overload == overload })
	lower, ok := operators[overload]
	if i < 0 || !ok {
		return register{}, unsupported("the operator %q", overload)
	}
	fits := func(arg register, t algorithms.Type) bool { return (arg.class == truth) == (t == algorithms.Bool) }
	if !slices.EqualFunc(args, algorithms.Operators[i].Args, fits) {
		return register{}, unsupported("the operator %q of %s", overload, fmt.Sprint(args))
	}
	return lower(c.function, args...), nil
}
