package algorithms

import (
	"math"
	"slices"

	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// Whether a program of one's own is Monotone, as the form of its expressions shows it. Two things must hold of what an
// edge makes of its sender's value x, the message m(x), where less is better for min and more for max:
//
//  1. It keeps the order: of a better x, m(x) is no worse. Then the best values that can be reached are the same in
//     whatever order messages arrive, and however often (Cousot, "Asynchronous iterative methods for solving a fixed
//     point system of monotone equations", 1977).
//  2. It gains nothing: m(x) is no better than x. Then the best values come along paths without a cycle, within as many
//     iterations as there are vertices. Where the graph decides that, as it does of x + edge.weight, a run in which
//     values do not settle has no result.
//
// An and or an or needs neither: there is one value to send, and who has it sends once.

// gain is what an edge makes of its sender's value.
type gain uint8

const (
	unordered   gain = iota // it may forget the order of values
	conditional             // where its step is 0 or more, it keeps the order and gains nothing
	ordered                 // it keeps the order, and where its step is 0 or more it gains nothing
	gainsNever              // it keeps the order and gains nothing
)

// endlessGain is what it means that a program of one's own which keeps the order does not converge.
const endlessGain = "values get better with each turn around a cycle, or are more than a double can hold; " +
	"iterations=N ends the run after N iterations"

// monotone is how the messages of p, which is checked and synchronous so far, may be applied, and what it means if p
// does not converge then.
func monotone(p *Program) (_ Order, diverged string) {
	if p.Activity != Changed || p.Norm != NoNorm || p.MaxIterations > 0 || p.Exactly || p.State[0].Apply.Source != "" {
		return p.Order, p.Diverged
	}
	switch (message{p, p.Process.Checked}).worsening(p.Process.Checked.GetExpr()).gain {
	case gainsNever:
		return Monotone, ""
	case ordered:
		return Monotone, endlessGain
	}
	return p.Order, p.Diverged
}

// Step is by how much p, which is checked, makes a value worse along an edge, at least: an expression over src.*, dst.*
// and edge.*, a double. Where it is 0 or more for every edge, and no infinity, no edge gains. Nil: none does in any
// graph. It is not known where the form of p does not tell, or what it adds to a value is better for being large.
func (p *Program) Step() (step *exprpb.CheckedExpr, known bool) {
	w := (message{p, p.Process.Checked}).worsening(p.Process.Checked.GetExpr())
	if w.by == nil {
		return nil, w.gain == gainsNever
	}
	in := p.Process.Checked
	return &exprpb.CheckedExpr{Expr: w.by, TypeMap: in.GetTypeMap(), ReferenceMap: in.GetReferenceMap()}, true
}

// message is what a program sends along an edge.
type message struct {
	program *Program
	checked *exprpb.CheckedExpr
}

// worsening is what a part of a message makes of the sender's value.
type worsening struct {
	gain
	by *exprpb.Expr // its step, where that is conditional or ordered; nil: nobody knows
}

// or is what one of two makes of it, as an edge decides that.
func (w worsening) or(condition *exprpb.Expr, other worsening) worsening {
	return w.with(other, func(a, b *exprpb.Expr) *exprpb.Expr { return called("_?_:_", condition, a, b) })
}

// and is what two make of it, one after the other, as far as that makes it never better.
func (w worsening) and(other worsening) worsening {
	return w.with(other, func(a, b *exprpb.Expr) *exprpb.Expr { return called("min", a, b) })
}

func (w worsening) with(other worsening, join func(a, b *exprpb.Expr) *exprpb.Expr) worsening {
	both := worsening{gain: min(w.gain, other.gain)}
	if both.gain != gainsNever && w.known() && other.known() {
		both.by = join(w.atLeast(), other.atLeast())
	}
	return both
}

func (w worsening) known() bool { return w.gain == gainsNever || w.by != nil }

func (w worsening) atLeast() *exprpb.Expr {
	if w.gain == gainsNever {
		return double(0)
	}
	return w.by
}

// worsening by e, which is the message or a part of it that reads the sender's value.
func (m message) worsening(e *exprpb.Expr) worsening {
	switch flag := m.program.State[0].Type == Bool; {
	case flag && m.reads(e, "dst."):
		return worsening{}
	case flag, m.variable(e) == "src."+m.program.State[0].Name:
		return worsening{gain: gainsNever}
	}
	switch args := e.GetCallExpr().GetArgs(); e.GetCallExpr().GetFunction() {
	case "_?_:_":
		if !m.readsState(args[0]) {
			return m.worsening(args[1]).or(args[0], m.worsening(args[2]))
		}
	case "min", "max":
		return m.cut(e.GetCallExpr())
	case "_+_":
		if m.readsState(args[0]) {
			return m.sum(args[0], args[1], m.program.Reduce == Min)
		}
		return m.sum(args[1], args[0], m.program.Reduce == Min)
	case "_-_":
		return m.sum(args[0], args[1], m.program.Reduce == Max)
	case "_*_":
		if m.readsState(args[0]) {
			return m.product(args[0], args[1])
		}
		return m.product(args[1], args[0])
	}
	return worsening{}
}

// cut is a min or a max of the sender's value and something else, which makes it worse.
func (m message) cut(call *exprpb.Expr_Call) worsening {
	part, other := call.GetArgs()[0], call.GetArgs()[1]
	if m.readsState(other) {
		part, other = other, part
	}
	worse := map[Reduce]string{Min: "max", Max: "min"}[m.program.Reduce]
	if call.GetFunction() != worse || m.readsState(other) {
		return worsening{}
	}
	w := m.worsening(part)
	if _, known := constant(m.checked, other); m.variable(other) == "" && !known {
		return w.and(worsening{gain: ordered}) // it may be NaN, which is best
	}
	return w
}

// sum is a part to which another is added, or from which it is taken; away tells that what is above 0 makes it worse.
func (m message) sum(part, other *exprpb.Expr, away bool) worsening {
	if m.readsState(other) {
		return worsening{}
	}
	step := worsening{gain: ordered}
	c, known := constant(m.checked, other)
	x := c.Float + float64(c.Int)
	if !away {
		x = -x
	}
	switch {
	case m.program.State[0].Type != Float && !m.staysModest():
		return worsening{} // it may wrap around
	case known && x >= 0 && !math.IsInf(x, 0):
		step.gain = gainsNever
	case m.program.State[0].Type == Float && away:
		step.by = other
	}
	return m.worsening(part).and(step)
}

// product is a part times a share, from 0 to 1, of which the largest counts and none is negative.
func (m message) product(part, share *exprpb.Expr) worsening {
	if m.readsState(share) || m.program.Reduce != Max || m.program.State[0].Type != Float || !m.staysPositive() {
		return worsening{}
	}
	if c, known := constant(m.checked, share); known && c.Float >= 0 && c.Float <= 1 {
		return m.worsening(part)
	}
	return m.worsening(part).and(worsening{conditional, called("min", share, called("_-_", double(1), share))})
}

// No sum of as many steps as there can be vertices wraps around, where it starts within farthestStart.
const (
	farthestStart = 1 << 62
	longestStep   = 1 << 20
)

// staysModest tells whether values, which are whole numbers, start within bounds, and edges only add small constants.
func (m message) staysModest() bool {
	return m.starts(func(c Constant) bool {
		return -farthestStart < c.Int && c.Int < farthestStart || c.Int == m.program.Reduce.IntIdentity()
	}) && m.onlyBy(m.checked.GetExpr(), []string{"_+_", "_-_"}, func(other *exprpb.Expr) bool {
		c, known := constant(m.checked, other)
		return known && -longestStep <= c.Int && c.Int <= longestStep
	})
}

// staysPositive tells whether values, the largest of which count, start at 0 or above, and edges only multiply them: by
// what is from 0 to 1 none gets below 0, where a product would make it larger.
func (m message) staysPositive() bool {
	return m.starts(func(c Constant) bool {
		return c.Float >= 0 && !math.IsInf(c.Float, 0) || c.Float == Max.FloatIdentity()
	}) && m.onlyBy(m.checked.GetExpr(), []string{"_*_"}, func(*exprpb.Expr) bool { return true })
}

// onlyBy tells whether e is the sender's value after nothing but such functions, whose other argument suits, or one of
// two such, as the edge decides.
func (m message) onlyBy(e *exprpb.Expr, functions []string, suits func(other *exprpb.Expr) bool) bool {
	only := func(part *exprpb.Expr) bool { return m.onlyBy(part, functions, suits) }
	switch name, args := e.GetCallExpr().GetFunction(), e.GetCallExpr().GetArgs(); {
	case m.variable(e) == "src."+m.program.State[0].Name:
		return true
	case name == "_?_:_":
		return only(args[1]) && only(args[2])
	case !slices.Contains(functions, name):
		return false
	default:
		return !slices.ContainsFunc(args, func(arg *exprpb.Expr) bool {
			return m.readsState(arg) && !only(arg) || !m.readsState(arg) && !suits(arg)
		})
	}
}

// starts tells whether values start as constants, all of which are right.
func (m message) starts(right func(Constant) bool) bool {
	init := m.program.State[0].Init.Checked
	var all func(e *exprpb.Expr) bool
	all = func(e *exprpb.Expr) bool {
		if call := e.GetCallExpr(); call.GetFunction() == "_?_:_" {
			return all(call.GetArgs()[1]) && all(call.GetArgs()[2])
		}
		c, known := constant(init, e)
		return known && right(c)
	}
	return all(init.GetExpr())
}

// readsState tells whether e goes by the value of the sender, or of who receives.
func (m message) readsState(e *exprpb.Expr) bool { return m.reads(e, "src.") || m.reads(e, "dst.") }

// reads tells whether e goes by the value of the end of an edge that qualifier names.
func (m message) reads(e *exprpb.Expr, qualifier string) bool {
	return m.variable(e) == qualifier+m.program.State[0].Name ||
		slices.ContainsFunc(e.GetCallExpr().GetArgs(), func(arg *exprpb.Expr) bool { return m.reads(arg, qualifier) })
}

// variable is the name of e, or empty where e is none.
func (m message) variable(e *exprpb.Expr) string { return variable(m.checked, e) }

func variable(checked *exprpb.CheckedExpr, e *exprpb.Expr) string {
	if r := checked.GetReferenceMap()[e.GetId()]; r != nil && isVariable(r) {
		return r.GetName()
	}
	return ""
}

// constant is the number that e is, where it is one whatever the graph.
func constant(checked *exprpb.CheckedExpr, e *exprpb.Expr) (_ Constant, known bool) {
	c := e.GetConstExpr()
	if value := checked.GetReferenceMap()[e.GetId()].GetValue(); value != nil {
		c = value
	}
	switch kind := c.GetConstantKind().(type) {
	case *exprpb.Constant_DoubleValue:
		return Constant{Type: Float, Float: kind.DoubleValue}, true
	case *exprpb.Constant_Int64Value:
		return Constant{Type: Int, Int: kind.Int64Value}, true
	}
	if call := e.GetCallExpr(); call.GetFunction() == "-_" {
		c, known := constant(checked, call.GetArgs()[0])
		c.Float, c.Int = -c.Float, -c.Int
		return c, known
	}
	return Constant{}, false
}

func called(function string, args ...*exprpb.Expr) *exprpb.Expr {
	return &exprpb.Expr{ExprKind: &exprpb.Expr_CallExpr{CallExpr: &exprpb.Expr_Call{Function: function, Args: args}}}
}

func double(x float64) *exprpb.Expr {
	value := &exprpb.Constant{ConstantKind: &exprpb.Constant_DoubleValue{DoubleValue: x}}
	return &exprpb.Expr{ExprKind: &exprpb.Expr_ConstExpr{ConstExpr: value}}
}
