package shape

import (
	"github.com/penstock-db/penstock/algorithms"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// Part is e, which lies in checked, as an expression of its own.
func Part(checked *exprpb.CheckedExpr, e *exprpb.Expr) *exprpb.CheckedExpr {
	return &exprpb.CheckedExpr{Expr: e, TypeMap: checked.GetTypeMap(), ReferenceMap: checked.GetReferenceMap()}
}

// Named, Literal and Called make expressions that no parser has seen: their id is 0, of which the
// checked maps know nothing.
func Named(name string) *exprpb.Expr {
	return &exprpb.Expr{ExprKind: &exprpb.Expr_IdentExpr{IdentExpr: &exprpb.Expr_Ident{Name: name}}}
}

func Literal(x float64) *exprpb.Expr {
	double := &exprpb.Constant{ConstantKind: &exprpb.Constant_DoubleValue{DoubleValue: x}}
	return &exprpb.Expr{ExprKind: &exprpb.Expr_ConstExpr{ConstExpr: double}}
}

func Called(function string, args ...*exprpb.Expr) *exprpb.Expr {
	return &exprpb.Expr{ExprKind: &exprpb.Expr_CallExpr{CallExpr: &exprpb.Expr_Call{Function: function, Args: args}}}
}

// Type is the type of a checked expression that a parser has seen.
func Type(checked *exprpb.CheckedExpr) algorithms.Type {
	switch primitive(checked, checked.GetExpr()) {
	case exprpb.Type_DOUBLE:
		return algorithms.Float
	case exprpb.Type_BOOL:
		return algorithms.Bool
	}
	return algorithms.Int
}

func primitive(checked *exprpb.CheckedExpr, e *exprpb.Expr) exprpb.Type_PrimitiveType {
	return checked.GetTypeMap()[e.GetId()].GetPrimitive()
}
