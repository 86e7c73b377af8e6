package shape

import (
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// Normal is checked without the operations that change no bit of any value, as 1.0 * x,
// so that a program's shape does not depend on how it was written down. A float plus zero
// is no such: -0.0 + 0.0 is 0.0.
func Normal(checked *exprpb.CheckedExpr) *exprpb.CheckedExpr {
	return Part(checked, normalizer{checked}.visit(checked.GetExpr()))
}

type normalizer struct{ checked *exprpb.CheckedExpr }

func (n normalizer) visit(e *exprpb.Expr) *exprpb.Expr {
	call := e.GetCallExpr()
	if call == nil {
		return e
	}
	args := make([]*exprpb.Expr, len(call.GetArgs()))
	for i, arg := range call.GetArgs() {
		args[i] = n.visit(arg)
	}
	if kept := n.kept(call.GetFunction(), args); kept >= 0 {
		return args[kept]
	}
	if inverse[call.GetFunction()] && args[0].GetCallExpr().GetFunction() == call.GetFunction() {
		return args[0].GetCallExpr().GetArgs()[0]
	}
	normal := &exprpb.Expr_Call{Function: call.GetFunction(), Args: args}
	return &exprpb.Expr{Id: e.GetId(), ExprKind: &exprpb.Expr_CallExpr{CallExpr: normal}}
}

// inverse are the functions that undo themselves.
var inverse = map[string]bool{"-_": true, "!_": true}

// kept is the argument that function leaves as it is, or -1.
func (n normalizer) kept(function string, args []*exprpb.Expr) int {
	switch function {
	case "double", "int":
		if primitive(n.checked, args[0]) == conversions[function] {
			return 0
		}
	case "_?_:_":
		if s, ok := Constant(n.checked, args[0]); ok && s.Bool {
			return 1
		} else if ok {
			return 2
		}
	}
	for i, arg := range args {
		if s, ok := Constant(n.checked, arg); ok && len(args) == 2 && neutralTo(function, i, s) {
			return 1 - i
		}
	}
	return -1
}

var conversions = map[string]exprpb.Type_PrimitiveType{"double": exprpb.Type_DOUBLE, "int": exprpb.Type_INT64}

// neutralTo tells whether function, with s as its i-th argument of two, gives the other.
func neutralTo(function string, i int, s vector.Scalar) bool {
	one := s.Type == algorithms.Float && s.Float == 1 || s.Type == algorithms.Int && s.Int == 1
	zero := s.Type == algorithms.Int && s.Int == 0
	plusZero := s.Type == algorithms.Float && math.Float64bits(s.Float) == 0
	switch function {
	case "_*_":
		return one
	case "_/_":
		return one && i == 1
	case "_+_":
		return zero
	case "_-_":
		return (zero || plusZero) && i == 1
	case "_&&_":
		return s.Type == algorithms.Bool && s.Bool
	case "_||_":
		return s.Type == algorithms.Bool && !s.Bool
	}
	return false
}

// Constant is the value of e, which lies in checked, if it is a literal or a constant of the program, or minus one.
func Constant(checked *exprpb.CheckedExpr, e *exprpb.Expr) (vector.Scalar, bool) {
	if call := e.GetCallExpr(); call.GetFunction() == "-_" {
		s, ok := Constant(checked, call.GetArgs()[0])
		s.Float, s.Int = -s.Float, -s.Int
		return s, ok
	}
	c := e.GetConstExpr()
	if v := checked.GetReferenceMap()[e.GetId()].GetValue(); v != nil {
		c = v
	}
	switch v := c.GetConstantKind().(type) {
	case *exprpb.Constant_DoubleValue:
		return vector.Scalar{Type: algorithms.Float, Float: v.DoubleValue}, true
	case *exprpb.Constant_Int64Value:
		return vector.Scalar{Type: algorithms.Int, Int: v.Int64Value}, true
	case *exprpb.Constant_BoolValue:
		return vector.Scalar{Type: algorithms.Bool, Bool: v.BoolValue}, true
	}
	return vector.Scalar{}, false
}

// Same tells whether a and b, both normal, are written alike.
func Same(a, b *exprpb.CheckedExpr) bool {
	x, aConstant := Constant(a, a.GetExpr())
	y, bConstant := Constant(b, b.GetExpr())
	if aConstant || bConstant {
		return aConstant && bConstant && x == y
	}
	if name := vector.Name(a, a.GetExpr()); name != "" {
		return name == vector.Name(b, b.GetExpr())
	}
	f, g := a.GetExpr().GetCallExpr(), b.GetExpr().GetCallExpr()
	return f != nil && f.GetFunction() == g.GetFunction() && slices.EqualFunc(f.GetArgs(), g.GetArgs(),
		func(x, y *exprpb.Expr) bool { return Same(Part(a, x), Part(b, y)) })
}

// IsZero tells whether e is the double 0.
func IsZero(e *exprpb.CheckedExpr) bool {
	s, ok := Constant(e, e.GetExpr())
	return ok && s.Type == algorithms.Float && math.Float64bits(s.Float) == 0
}
