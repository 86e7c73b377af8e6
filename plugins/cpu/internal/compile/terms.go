package compile

import (
	"slices"
	"strings"
	"unsafe"

	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/evaluation"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// term is an operand that does not depend on the state of its vertex: one number for all
// vertices, taken anew each iteration, or one a vertex, computed once.
type term struct {
	values []float64
	mask   int                    // of the vertex, for its place in values: 0 or all ones
	rule   *evaluation.Evaluation // nil: values never change
}

// operand is where a loop finds a term: that of the i-th vertex from some vertex on.
type operand struct {
	first unsafe.Pointer
	mask  uintptr
}

func (t *term) from(v int) operand {
	return operand{unsafe.Pointer(&t.values[v&t.mask]), uintptr(t.mask)}
}

func (o operand) at(i int) float64 {
	return *(*float64)(unsafe.Add(o.first, 8*(uintptr(i)&o.mask)))
}

// newTerm compiles e, or gives neutral where e is nil.
func (p *Code) newTerm(s evaluation.Scope, e *exprpb.CheckedExpr, neutral float64) (*term, error) {
	t, workers := &term{values: []float64{neutral}}, 1
	if e == nil {
		return t, nil
	}
	if !uniform(e) {
		t.mask, workers = -1, p.Workers
	}
	var err error
	t.rule, err = evaluation.New(workers, s, e)
	return t, err
}

// uniform tells whether e, a term, is one number for all vertices.
func uniform(e *exprpb.CheckedExpr) bool {
	return !mentions(e, e.GetExpr(), func(name string) bool {
		side, _, qualified := strings.Cut(name, ".")
		return qualified && side != "agg"
	})
}

// mentions tells whether e has a variable that is wanted.
func mentions(checked *exprpb.CheckedExpr, e *exprpb.Expr, wanted func(name string) bool) bool {
	if name := vector.Name(checked, e); name != "" {
		return wanted(name)
	}
	for _, arg := range e.GetCallExpr().GetArgs() {
		if mentions(checked, arg, wanted) {
			return true
		}
	}
	return false
}

// invariant tells whether e may be a term: it asks for no state, and not both for what is
// the vertex's own and for an aggregate.
func (p *Code) invariant(checked *exprpb.CheckedExpr, e *exprpb.Expr) bool {
	own, shared := false, false
	return !mentions(checked, e, func(name string) bool {
		side, column, qualified := strings.Cut(name, ".")
		shared = shared || side == "agg"
		own = own || qualified && side != "agg"
		return name == "acc" || side == "edge" || side == "dst" || own && shared || side != "agg" && p.isState(column)
	})
}

func (p *Code) isState(column string) bool {
	return slices.ContainsFunc(p.Spec.State, func(s algorithms.State) bool { return s.Name == column })
}

// plus takes the addition of a term off e: what it is added to, and the term, which is nil
// where e is no such sum.
func (p *Code) plus(checked *exprpb.CheckedExpr, e *exprpb.Expr) (rest *exprpb.Expr, term *exprpb.CheckedExpr) {
	return p.takeOff(checked, e, "_+_")
}

// times takes off the multiplication by a term. A division by a whole number is one by
// its reciprocal, which may give another last bit.
func (p *Code) times(checked *exprpb.CheckedExpr, e *exprpb.Expr) (rest *exprpb.Expr, term *exprpb.CheckedExpr) {
	args := e.GetCallExpr().GetArgs()
	if e.GetCallExpr().GetFunction() == "_/_" && wholeNumber(checked, args[1]) && p.invariant(checked, args[1]) {
		return args[0], shape.Part(checked, shape.Called("_/_", shape.Literal(1), args[1]))
	}
	return p.takeOff(checked, e, "_*_")
}

func (p *Code) takeOff(checked *exprpb.CheckedExpr, e *exprpb.Expr, function string) (*exprpb.Expr,
	*exprpb.CheckedExpr) {
	if args := e.GetCallExpr().GetArgs(); e.GetCallExpr().GetFunction() == function {
		for i := range args {
			if p.invariant(checked, args[i]) {
				return args[1-i], shape.Part(checked, args[i])
			}
		}
	}
	return e, nil
}

// wholeNumber tells whether e is double(k) of an int k.
func wholeNumber(checked *exprpb.CheckedExpr, e *exprpb.Expr) bool {
	call := e.GetCallExpr()
	return call.GetFunction() == "double" && checked.GetTypeMap()[call.GetArgs()[0].GetId()].GetPrimitive() == exprpb.Type_INT64
}

// bytes is what t takes.
func (t *term) bytes(n int) uint64 {
	if t.mask == 0 {
		return t.rule.Size()
	}
	return 8*uint64(n) + t.rule.Size()
}

func (t *term) allocate(n int) {
	if t.mask != 0 {
		t.values = make([]float64, n)
	}
}

// fill computes what a vertex has of its own, for a block.
func (t *term) fill(worker, from, to int) {
	if t.mask == 0 {
		return
	}
	evaluation.Strips(from, to, func(from, to int) {
		copy(t.values[from:to], t.rule.Run(worker, from, to).Output(0, to-from).Floats)
	})
}

// settle takes the number for all, when the aggregates are known.
func (t *term) settle() {
	if t.mask == 0 && t.rule != nil {
		t.rule.Settle()
		t.values[0] = t.rule.Run(0, 0, 1).Output(0, 1).Floats[0]
	}
}

// terms are those of p.
func (p *Code) terms() (all []*term) {
	if a := p.Affine; a != nil {
		all = append(all, a.weight, a.inside, a.scale, a.outside)
	}
	if t := p.Threshold; t != nil {
		all = append(all, t.scale, t.least)
	}
	if p.Scaled != nil {
		all = append(all, p.Scaled.weight)
	}
	return all
}
