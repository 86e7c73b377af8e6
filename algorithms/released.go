package algorithms

import (
	"slices"

	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// Released is the column by which the first grows whenever a vertex passes something on, and which holds just that
// until the vertex has sent: of an Accumulative program, which is checked, whose Apply is
//
//	first    = condition ? first + pending : first
//	released = condition ? pending : 0
//
// Then by how much two know a first column to differ is what one of them has not had the vertex send. It is not known
// where the expressions have another form.
func (p *Program) Released() (column int, known bool) {
	if p.Order != Accumulative || p.Reduce != Sum || p.Activity != Changed {
		return 0, false
	}
	for i, s := range p.State {
		if i > 0 && p.State[0].Type == Float && s.Type == Float && releases(p.State[0], s) {
			return i, true
		}
	}
	return 0, false
}

// releases tells whether the first column grows by what another one is.
func releases(first, other State) bool {
	a, b := first.Apply.Checked, other.Apply.Checked
	grown, sent := a.GetExpr().GetCallExpr(), b.GetExpr().GetCallExpr()
	if grown.GetFunction() != "_?_:_" || sent.GetFunction() != "_?_:_" {
		return false
	}
	equal := func(name, other string) bool { return name == other }
	sum, zero := grown.GetArgs()[1].GetCallExpr(), sent.GetArgs()[2].GetConstExpr()
	if sum.GetFunction() != "_+_" || zero == nil || zero.GetDoubleValue() != 0 ||
		!alike(a, grown.GetArgs()[0], b, sent.GetArgs()[0], equal) {
		return false
	}
	before := func(e *exprpb.Expr) bool { return variable(a, e) == "self."+first.Name }
	for i, part := range sum.GetArgs() {
		if before(part) && before(grown.GetArgs()[2]) && alike(a, sum.GetArgs()[1-i], b, sent.GetArgs()[1], equal) {
			return true
		}
	}
	return false
}

// alike tells whether two expressions are written the same way, of names that are the same.
func alike(a *exprpb.CheckedExpr, x *exprpb.Expr, b *exprpb.CheckedExpr, y *exprpb.Expr,
	same func(name, other string) bool) bool {
	if name := variable(a, x); name != "" {
		return same(name, variable(b, y))
	}
	if c, known := constant(a, x); known {
		d, also := constant(b, y)
		return also && c == d
	}
	f, g := x.GetCallExpr(), y.GetCallExpr()
	return f != nil && f.GetFunction() == g.GetFunction() && slices.EqualFunc(f.GetArgs(), g.GetArgs(),
		func(x, y *exprpb.Expr) bool { return alike(a, x, b, y, same) })
}
