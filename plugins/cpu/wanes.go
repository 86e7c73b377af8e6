package cpu

import (
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// What an expression alone says of a program, whatever the graph.

// beginsEven tells whether all who send first hold one value: Init is a choice between a
// constant and the identity.
func (p *program) beginsEven() bool {
	if p.spec.State[0].Type == algorithms.Bool {
		return true // there is but one value beside the identity
	}
	init := shape.Normal(p.spec.State[0].Init.Checked)
	call := init.GetExpr().GetCallExpr()
	if call.GetFunction() != "_?_:_" {
		return false
	}
	a, constantA := shape.Constant(init, call.GetArgs()[1])
	b, constantB := shape.Constant(init, call.GetArgs()[2])
	nothing := p.order.scalar(identity(p.spec.Reduce, p.spec.State[0].Type))
	if !constantA || !constantB || p.order.scalar(a) != nothing && p.order.scalar(b) != nothing {
		return false
	}
	return fewSteps(a, nothing, p.order) && fewSteps(b, nothing, p.order)
}

// farthest is how far from zero an integer may be that as many additions of up to
// longest as there can be vertices do not make overflow.
const (
	farthest = 1 << 62
	longest  = 1 << 20
)

func fewSteps(s vector.Scalar, nothing int64, order keyOrder) bool {
	return s.Type != algorithms.Int || order.scalar(s) == nothing || -farthest < s.Int && s.Int < farthest
}

// wanes tells whether no message is better than what its sender holds: it is that, or a
// constant further away from the better end.
func (p *program) wanes() bool {
	if p.process.SendsFirst(p.spec) {
		return true
	}
	m := p.process.Message
	call := m.GetExpr().GetCallExpr()
	if call.GetFunction() != "_+_" {
		return false
	}
	first := "src." + p.spec.State[0].Name
	i := slices.IndexFunc(call.GetArgs(), func(e *exprpb.Expr) bool { return vector.Name(m, e) == first })
	if i < 0 {
		return false
	}
	by, ok := shape.Constant(m, call.GetArgs()[1-i])
	return ok && p.worsens(by)
}

func (p *program) worsens(by vector.Scalar) bool {
	sign := 1.
	if p.order.flip != 0 {
		sign = -1
	}
	switch by.Type {
	case algorithms.Int:
		return -longest < by.Int && by.Int < longest && sign*float64(by.Int) >= 0
	default:
		return sign*by.Float >= 0 && !math.IsInf(by.Float, 0)
	}
}
