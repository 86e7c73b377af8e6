package model

import (
	"fmt"
	"math"
	"strings"

	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

// translation writes a checked expression as nodes of a graph. Equal parts are written once.
type translation struct {
	*onnx.Graph
	checked *exprpb.CheckedExpr
	known   map[string]string // a node's spelling → its output
}

func (t *translation) visit(e *exprpb.Expr) (string, error) {
	if value := t.checked.GetReferenceMap()[e.GetId()].GetValue(); value != nil {
		return t.literal(value)
	}
	if name := vector.Name(t.checked, e); name != "" {
		return name, nil
	}
	switch e.GetExprKind().(type) {
	case *exprpb.Expr_ConstExpr:
		return t.literal(e.GetConstExpr())
	case *exprpb.Expr_CallExpr:
		return t.call(e)
	}
	return "", plugins.Errorf(plugins.KindUnsupported, "%T is not among the operators of this device", e.GetExprKind())
}

func (t *translation) literal(c *exprpb.Constant) (string, error) {
	switch c.GetConstantKind().(type) {
	case *exprpb.Constant_DoubleValue:
		return t.float(c.GetDoubleValue()), nil
	case *exprpb.Constant_Int64Value:
		return t.int(c.GetInt64Value()), nil
	case *exprpb.Constant_BoolValue:
		return t.Initializer(onnx.Scalar("", c.GetBoolValue())), nil
	}
	return "", plugins.Errorf(plugins.KindUnsupported, "the literal %v is none of this device", c)
}

func (t *translation) call(e *exprpb.Expr) (string, error) {
	call := e.GetCallExpr()
	var args []string
	for _, arg := range call.GetArgs() {
		value, err := t.visit(arg)
		if err != nil {
			return "", err
		}
		args = append(args, value)
	}
	overloads := t.checked.GetReferenceMap()[e.GetId()].GetOverloadId()
	if len(overloads) != 1 || operators[overloads[0]] == nil {
		return "", plugins.Errorf(plugins.KindUnsupported, "%q %v is not among the operators of this device", call.GetFunction(), overloads)
	}
	spelling := overloads[0] + "(" + strings.Join(args, ",") + ")"
	if t.known[spelling] == "" {
		t.known[spelling] = operators[overloads[0]](t, args)
	}
	return t.known[spelling], nil
}

// node is one of ONNX's operators.
func (t *translation) node(operator string, args ...string) string { return t.Node(operator, args) }

func (t *translation) cast(value string, to onnx.Type) string {
	return t.Node("Cast", []string{value}, onnx.Int("to", int64(to)))
}

func (t *translation) float(x float64) string {
	return t.once(fmt.Sprintf("float %x", math.Float64bits(x)), func() string { return t.Initializer(onnx.Scalar("", x)) })
}

func (t *translation) int(x int64) string {
	return t.once(fmt.Sprintf("int %d", x), func() string { return t.Initializer(onnx.Scalar("", x)) })
}

func (t *translation) once(spelling string, write func() string) string {
	if t.known[spelling] == "" {
		t.known[spelling] = write()
	}
	return t.known[spelling]
}

// operators are those of algorithms.Operators, by overload.
var operators = map[string]func(t *translation, args []string) string{
	"add_double": direct("Add"), "add_int64": direct("Add"),
	"subtract_double": direct("Sub"), "subtract_int64": direct("Sub"),
	"multiply_double": direct("Mul"), "multiply_int64": direct("Mul"),
	"divide_double": direct("Div"), "divide_int64": quotient, "modulo_int64": remainder,
	"negate_double": direct("Neg"), "negate_int64": direct("Neg"),

	"less_double": direct("Less"), "less_int64": direct("Less"),
	"less_equals_double": direct("LessOrEqual"), "less_equals_int64": direct("LessOrEqual"),
	"greater_double": direct("Greater"), "greater_int64": direct("Greater"),
	"greater_equals_double": direct("GreaterOrEqual"), "greater_equals_int64": direct("GreaterOrEqual"),
	"equals_double": direct("Equal"), "equals_int64": direct("Equal"), "equals_bool": direct("Equal"),
	"not_equals_double": unequal, "not_equals_int64": unequal, "not_equals_bool": unequal,

	"logical_not": direct("Not"), "logical_and": direct("And"), "logical_or": direct("Or"),
	"conditional_double": pick, "conditional_int64": direct("Where"), "conditional_bool": choose,

	"min_double": extreme(algorithms.Min), "min_int64": better("Less"), "max_double": extreme(algorithms.Max),
	"max_int64":  better("Greater"),
	"abs_double": direct("Abs"), "abs_int64": direct("Abs"), "sqrt_double": direct("Sqrt"),
	"exp_double": direct("Exp"), "log_double": direct("Log"),
	"int64_to_double":  func(t *translation, args []string) string { return t.cast(args[0], onnx.Float64) },
	"double_to_double": func(_ *translation, args []string) string { return args[0] },
	"int64_to_int64":   func(_ *translation, args []string) string { return args[0] },
	"single_double": func(t *translation, args []string) string {
		return t.cast(t.cast(args[0], onnx.Float32), onnx.Float64)
	},
	"double_to_int64": truncate,
}

func direct(operator string) func(*translation, []string) string {
	return func(t *translation, args []string) string { return t.node(operator, args...) }
}

func unequal(t *translation, args []string) string { return t.node("Not", t.node("Equal", args...)) }

// choose is ?: of bools, for which the runtime has no Where.
func choose(t *translation, args []string) string {
	condition, yes, no := args[0], args[1], args[2]
	return t.node("Or", t.node("And", condition, yes), t.node("And", t.node("Not", condition), no))
}

// extreme is min or max of doubles: NaN if either is, and -0 is less than 0.
func extreme(r algorithms.Reduce) func(*translation, []string) string {
	return func(t *translation, args []string) string {
		a, b := args[0], args[1]
		strange := t.node("Or", t.node("IsNaN", a), t.node("IsNaN", b))
		best := t.node("Where", strange, t.float(math.NaN()),
			t.node(map[algorithms.Reduce]string{algorithms.Min: "Min", algorithms.Max: "Max"}[r], a, b))
		if r == algorithms.Min {
			return t.signed(best, t.node("Or", t.isBelow(a), t.isBelow(b)))
		}
		above := func(x string) string { return t.node("Greater", t.inverse(x), t.float(0)) }
		return t.signed(best, t.node("Not", t.node("Or", above(a), above(b))))
	}
}

// pick is ?: of doubles.
func pick(t *translation, args []string) string {
	condition, yes, no := args[0], args[1], args[2]
	return t.signed(t.node("Where", args...), choose(t, []string{condition, t.isBelow(yes), t.isBelow(no)}))
}

// signed is x, of which a 0 gets its sign: the runtime's Where takes any 0 for no value, and its minima and maxima take
// the one that comes first.
func (t *translation) signed(x, negative string) string {
	zero := t.node("Equal", x, t.float(0))
	sign := t.node("Where", t.node("And", zero, negative), t.float(-1), t.float(1))
	return t.node("Mul", t.node("Where", zero, t.float(0), x), sign)
}

// isBelow tells whether a finite x has a sign. Of zeros that shows in their inverse.
func (t *translation) isBelow(x string) string { return t.node("Less", t.inverse(x), t.float(0)) }

func (t *translation) inverse(x string) string { return t.node("Div", t.float(1), x) }

// better is min or max of int64: the runtime's own compare 32 bits, see halve.
func better(comparison string) func(*translation, []string) string {
	return func(t *translation, args []string) string {
		return t.node("Where", t.node(comparison, args...), args[0], args[1])
	}
}

// divisor is b as the runtime may divide by it: 0 and -1 stop some processors.
func divisor(t *translation, b string) (safe, zero, minus string) {
	zero, minus = t.node("Equal", b, t.int(0)), t.node("Equal", b, t.int(-1))
	return t.node("Where", t.node("Or", zero, minus), t.int(1), b), zero, minus
}

func quotient(t *translation, args []string) string {
	safe, zero, minus := divisor(t, args[1])
	q := t.node("Where", minus, t.node("Neg", args[0]), t.node("Div", args[0], safe))
	return t.node("Where", zero, t.int(0), q)
}

func remainder(t *translation, args []string) string {
	safe, zero, minus := divisor(t, args[1])
	r := t.node("Sub", args[0], t.node("Mul", t.node("Div", args[0], safe), safe)) // Mod goes by way of doubles
	return t.node("Where", t.node("Or", zero, minus), t.int(0), r)
}

// truncate cuts towards zero, holds at the ends of int64, and makes 0 of NaN.
func truncate(t *translation, args []string) string {
	const end = 1 << 63
	x := args[0]
	above, below := t.node("GreaterOrEqual", x, t.float(end)), t.node("LessOrEqual", x, t.float(-end))
	beyond := t.node("Or", t.node("Or", above, below), t.node("IsNaN", x))
	cut := t.cast(t.node("Where", beyond, t.float(0), x), onnx.Int64)
	cut = t.node("Where", above, t.int(math.MaxInt64), cut)
	return t.node("Where", below, t.int(math.MinInt64), cut)
}
