package model

import (
	"slices"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/vector"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// weighting is what an edge does to the message of its source.
type weighting uint8

const (
	unweighted weighting = iota
	plus
	times
	least
	largest
)

var weightings = map[string]weighting{"_+_": plus, "_*_": times, "min": least, "max": largest}

// shape is a Process taken apart: a message that its source alone decides, and what the edge does
// to it. Where fused is false it has another shape.
type shape struct {
	fused     bool
	message   *exprpb.CheckedExpr
	weighting weighting
}

// split recognises message and message ∘ edge.w, either way round.
func split(checked *exprpb.CheckedExpr) shape {
	root := checked.GetExpr()
	if fromSource(checked, root) {
		return shape{fused: true, message: checked}
	}
	call := root.GetCallExpr()
	w, ok := weightings[call.GetFunction()]
	if !ok || len(call.GetArgs()) != 2 {
		return shape{}
	}
	a, b := call.GetArgs()[0], call.GetArgs()[1]
	if isProperty(checked, a) {
		a, b = b, a
	}
	if !isProperty(checked, b) || !fromSource(checked, a) {
		return shape{}
	}
	return shape{fused: true, message: partOf(checked, a), weighting: w}
}

func isProperty(checked *exprpb.CheckedExpr, e *exprpb.Expr) bool {
	return strings.HasPrefix(vector.Name(checked, e), "edge.")
}

// fromSource tells whether e depends neither on the edge nor on its target.
func fromSource(checked *exprpb.CheckedExpr, e *exprpb.Expr) bool {
	if name := vector.Name(checked, e); name != "" {
		return !strings.HasPrefix(name, "edge.") && !strings.HasPrefix(name, "dst.")
	}
	return !slices.ContainsFunc(e.GetCallExpr().GetArgs(), func(arg *exprpb.Expr) bool {
		return !fromSource(checked, arg)
	})
}

func partOf(checked *exprpb.CheckedExpr, e *exprpb.Expr) *exprpb.CheckedExpr {
	return &exprpb.CheckedExpr{Expr: e, ReferenceMap: checked.GetReferenceMap(), TypeMap: checked.GetTypeMap()}
}

// typeOf is the type of a checked expression.
func typeOf(checked *exprpb.CheckedExpr) algorithms.Type {
	return typeOfPart(checked, checked.GetExpr())
}

func typeOfPart(checked *exprpb.CheckedExpr, e *exprpb.Expr) algorithms.Type {
	switch checked.GetTypeMap()[e.GetId()].GetPrimitive() {
	case exprpb.Type_DOUBLE:
		return algorithms.Float
	case exprpb.Type_BOOL:
		return algorithms.Bool
	}
	return algorithms.Int
}
