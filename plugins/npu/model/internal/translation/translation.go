// Package translation writes a vertex program over pairs of vertices as nodes of an ONNX graph.
//
//	translation.go  its expressions: each of algorithms.Operators by those of the runtime
//	reduce.go       its Reduce, over the rows of pairs
package translation

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

// Translation writes a checked expression as nodes of a graph. Equal parts are written once.
type Translation struct {
	*onnx.Graph
	Checked *exprpb.CheckedExpr
	Known   map[string]string // a node's spelling → its output
}

// Visit writes an expression, and has the name of its value.
func (t *Translation) Visit(e *exprpb.Expr) (string, error) {
	if value := t.Checked.GetReferenceMap()[e.GetId()].GetValue(); value != nil {
		return t.literal(value)
	}
	if name := vector.Name(t.Checked, e); name != "" {
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

func (t *Translation) literal(c *exprpb.Constant) (string, error) {
	switch c.GetConstantKind().(type) {
	case *exprpb.Constant_DoubleValue:
		return t.Float(c.GetDoubleValue()), nil
	case *exprpb.Constant_Int64Value:
		return t.int(c.GetInt64Value()), nil
	case *exprpb.Constant_BoolValue:
		return t.Initializer(onnx.Scalar("", c.GetBoolValue())), nil
	}
	return "", plugins.Errorf(plugins.KindUnsupported, "the literal %v is none of this device", c)
}

func (t *Translation) call(e *exprpb.Expr) (string, error) {
	call := e.GetCallExpr()
	var args []string
	for _, arg := range call.GetArgs() {
		value, err := t.Visit(arg)
		if err != nil {
			return "", err
		}
		args = append(args, value)
	}
	overloads := t.Checked.GetReferenceMap()[e.GetId()].GetOverloadId()
	if len(overloads) != 1 || operators[overloads[0]] == nil {
		return "", plugins.Errorf(plugins.KindUnsupported, "%q %v is not among the operators of this device", call.GetFunction(), overloads)
	}
	spelling := overloads[0] + "(" + strings.Join(args, ",") + ")"
	if t.Known[spelling] == "" {
		t.Known[spelling] = operators[overloads[0]](t, args)
	}
	return t.Known[spelling], nil
}

// Apply is one of ONNX's operators.
func (t *Translation) Apply(operator string, args ...string) string { return t.Node(operator, args) }

// Cast is a value in another type.
func (t *Translation) Cast(value string, to onnx.Type) string {
	return t.Node("Cast", []string{value}, onnx.Int("to", int64(to)))
}

// Float is a constant, written once.
func (t *Translation) Float(x float64) string {
	return t.once(fmt.Sprintf("float %x", math.Float64bits(x)), func() string { return t.Initializer(onnx.Scalar("", x)) })
}

// int is a constant, written once.
func (t *Translation) int(x int64) string {
	return t.once(fmt.Sprintf("int %d", x), func() string { return t.Initializer(onnx.Scalar("", x)) })
}

func (t *Translation) once(spelling string, write func() string) string {
	if t.Known[spelling] == "" {
		t.Known[spelling] = write()
	}
	return t.Known[spelling]
}

// operators are those of algorithms.Operators, by overload.
var operators = map[string]func(t *Translation, args []string) string{
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
	"int64_to_double":  func(t *Translation, args []string) string { return t.Cast(args[0], onnx.Float64) },
	"double_to_double": func(_ *Translation, args []string) string { return args[0] },
	"int64_to_int64":   func(_ *Translation, args []string) string { return args[0] },
	"single_double": func(t *Translation, args []string) string {
		return t.Cast(t.Cast(args[0], onnx.Float32), onnx.Float64)
	},
	"double_to_int64": truncate,
}

func direct(operator string) func(*Translation, []string) string {
	return func(t *Translation, args []string) string { return t.Apply(operator, args...) }
}

func unequal(t *Translation, args []string) string { return t.Apply("Not", t.Apply("Equal", args...)) }

// choose is ?: of bools, for which the runtime has no Where.
func choose(t *Translation, args []string) string {
	condition, yes, no := args[0], args[1], args[2]
	return t.Apply("Or", t.Apply("And", condition, yes), t.Apply("And", t.Apply("Not", condition), no))
}

// extreme is min or max of doubles: NaN if either is, and -0 is less than 0.
func extreme(r algorithms.Reduce) func(*Translation, []string) string {
	return func(t *Translation, args []string) string {
		a, b := args[0], args[1]
		strange := t.Apply("Or", t.Apply("IsNaN", a), t.Apply("IsNaN", b))
		best := t.Apply("Where", strange, t.Float(math.NaN()),
			t.Apply(map[algorithms.Reduce]string{algorithms.Min: "Min", algorithms.Max: "Max"}[r], a, b))
		if r == algorithms.Min {
			return t.signed(best, t.Apply("Or", t.isBelow(a), t.isBelow(b)))
		}
		above := func(x string) string { return t.Apply("Greater", t.inverse(x), t.Float(0)) }
		return t.signed(best, t.Apply("Not", t.Apply("Or", above(a), above(b))))
	}
}

// pick is ?: of doubles.
func pick(t *Translation, args []string) string {
	condition, yes, no := args[0], args[1], args[2]
	return t.signed(t.Apply("Where", args...), choose(t, []string{condition, t.isBelow(yes), t.isBelow(no)}))
}

// signed is x, of which a 0 gets its sign: the runtime's Where takes any 0 for no value, and its minima and maxima take
// the one that comes first.
func (t *Translation) signed(x, negative string) string {
	zero := t.Apply("Equal", x, t.Float(0))
	sign := t.Apply("Where", t.Apply("And", zero, negative), t.Float(-1), t.Float(1))
	return t.Apply("Mul", t.Apply("Where", zero, t.Float(0), x), sign)
}

// isBelow tells whether a finite x has a sign. Of zeros that shows in their inverse.
func (t *Translation) isBelow(x string) string { return t.Apply("Less", t.inverse(x), t.Float(0)) }

func (t *Translation) inverse(x string) string { return t.Apply("Div", t.Float(1), x) }

// better is min or max of int64: the runtime's own compare 32 bits, see halve.
func better(comparison string) func(*Translation, []string) string {
	return func(t *Translation, args []string) string {
		return t.Apply("Where", t.Apply(comparison, args...), args[0], args[1])
	}
}

// divisor is b as the runtime may divide by it: 0 and -1 stop some processors.
func divisor(t *Translation, b string) (safe, zero, minus string) {
	zero, minus = t.Apply("Equal", b, t.int(0)), t.Apply("Equal", b, t.int(-1))
	return t.Apply("Where", t.Apply("Or", zero, minus), t.int(1), b), zero, minus
}

func quotient(t *Translation, args []string) string {
	safe, zero, minus := divisor(t, args[1])
	q := t.Apply("Where", minus, t.Apply("Neg", args[0]), t.Apply("Div", args[0], safe))
	return t.Apply("Where", zero, t.int(0), q)
}

func remainder(t *Translation, args []string) string {
	safe, zero, minus := divisor(t, args[1])
	r := t.Apply("Sub", args[0], t.Apply("Mul", t.Apply("Div", args[0], safe), safe)) // Mod goes by way of doubles
	return t.Apply("Where", t.Apply("Or", zero, minus), t.int(0), r)
}

// truncate cuts towards zero, holds at the ends of int64, and makes 0 of NaN.
func truncate(t *Translation, args []string) string {
	const end = 1 << 63
	x := args[0]
	above, below := t.Apply("GreaterOrEqual", x, t.Float(end)), t.Apply("LessOrEqual", x, t.Float(-end))
	beyond := t.Apply("Or", t.Apply("Or", above, below), t.Apply("IsNaN", x))
	cut := t.Cast(t.Apply("Where", beyond, t.Float(0), x), onnx.Int64)
	cut = t.Apply("Where", above, t.int(math.MaxInt64), cut)
	return t.Apply("Where", below, t.int(math.MinInt64), cut)
}
