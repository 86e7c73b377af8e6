package compile

import (
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/ordering"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// What an expression alone says of a program, whatever the graph.

// StartsUniform tells whether all first senders hold one value: Init is a choice between a
// constant and the identity.
func (p *Code) StartsUniform() bool {
	if p.Spec.State[0].Type == algorithms.Bool {
		return true // there is but one value beside the identity
	}
	init := shape.Normal(p.Spec.State[0].Init.Checked)
	call := init.GetExpr().GetCallExpr()
	if call.GetFunction() != "_?_:_" {
		return false
	}
	a, constantA := shape.Constant(init, call.GetArgs()[1])
	b, constantB := shape.Constant(init, call.GetArgs()[2])
	order := ordering.Of(p.Spec.Reduce)
	nothing := order.Scalar(vector.Identity(p.Spec.Reduce, p.Spec.State[0].Type))
	if !constantA || !constantB || order.Scalar(a) != nothing && order.Scalar(b) != nothing {
		return false
	}
	return fewSteps(a, nothing, order) && fewSteps(b, nothing, order)
}

// farthest is how far from zero an integer may be that as many additions of up to
// longest as there can be vertices do not make overflow.
const (
	farthest = 1 << 62
	longest  = 1 << 20
)

func fewSteps(s vector.Scalar, nothing int64, order ordering.Order) bool {
	return s.Type != algorithms.Int || order.Scalar(s) == nothing || -farthest < s.Int && s.Int < farthest
}

// NeverImproves tells whether no message is better than what its sender holds, before the edge has its say.
func (p *Code) NeverImproves() bool {
	_, _, ok := p.Worsening()
	return ok
}

// Worsening is how far a message is from what its sender holds: it is that, or adds a constant that leads away from the
// better end; ok is false where it is anything else.
func (p *Code) Worsening() (by vector.Scalar, adds, ok bool) {
	if p.Process.SendsFirst(p.Spec) {
		return by, false, true
	}
	by, times, ok := changed(p.Process.Message, p.Spec.State[0].Name)
	return by, true, ok && !times && worsens(by, ordering.Of(p.Spec.Reduce))
}

// Weighting is what an edge makes of what its sender holds, where that is all: a weight added, or multiplied by.
func (p *Code) Weighting() (w algorithms.Weighting, ok bool) {
	switch p.Process.Weighting {
	case shape.Plus, shape.Times:
		w = algorithms.Weighting{Property: p.Process.EdgeColumn, Times: p.Process.Weighting == shape.Times}
		return w, p.Process.SendsFirst(p.Spec)
	case shape.Unweighted:
		by, times, ok := changed(p.Process.Message, p.Spec.State[0].Name)
		return algorithms.Weighting{Same: by.Float, Times: times}, ok && by.Type == algorithms.Float
	}
	return w, false
}

// changed is the constant that a message adds to a state column of its sender, or multiplies that by.
func changed(m *exprpb.CheckedExpr, column string) (by vector.Scalar, times, ok bool) {
	call := m.GetExpr().GetCallExpr()
	times = call.GetFunction() == "_*_"
	if !times && call.GetFunction() != "_+_" {
		return by, false, false
	}
	i := slices.IndexFunc(call.GetArgs(), func(e *exprpb.Expr) bool { return vector.Name(m, e) == "src."+column })
	if i < 0 {
		return by, false, false
	}
	by, ok = shape.Constant(m, call.GetArgs()[1-i])
	return by, times, ok
}

func worsens(by vector.Scalar, order ordering.Order) bool {
	sign := 1.
	if order.Flip != 0 {
		sign = -1
	}
	switch by.Type {
	case algorithms.Int:
		return -longest < by.Int && by.Int < longest && sign*float64(by.Int) >= 0
	default:
		return sign*by.Float >= 0 && !math.IsInf(by.Float, 0)
	}
}

// SendsStateAlone tells whether equal first columns make equal messages.
func (p *Code) SendsStateAlone() bool {
	for _, in := range p.Message.Program.Inputs {
		if in.Name != "src."+p.Spec.State[0].Name {
			return false
		}
	}
	return true
}

// Asynchronous tells whether messages may be applied in any order: only the last state
// counts then, and iterations are whatever the device makes of them.
func (p *Code) Asynchronous() bool {
	return p.Spec.Order == algorithms.Monotone && !p.Spec.Exactly && p.Spec.MaxIterations == 0
}

// OnlyLastCounts tells whether messages may be applied in any order though the program need not
// say so: it ends when nothing changes, and what an edge makes of a better value is no worse.
// That holds for sums, the least and the largest; of products, where no weight is negative.
func (p *Code) OnlyLastCounts() bool {
	s := p.Spec
	return p.Improves() && s.Activity == algorithms.Changed && s.Norm == algorithms.NoNorm && !s.Exactly &&
		s.MaxIterations == 0 &&
		len(s.State) == 1 && len(s.Aggregates) == 0 && (s.Order == algorithms.Monotone || p.Process.SendsFirst(s))
}
