package compile

import (
	"math"
	"math/bits"

	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/activity"
	"github.com/penstock-db/penstock/plugins/internal/evaluation"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// Threshold is the Apply of a vertex that passes on what has reached it once that is worth it (Zhang
// et al., "Maiter", TPDS 2014), over three columns of doubles, in one loop:
//
//	pending = residual + acc
//	pending·scale > least ?  first += pending, residual = 0, delta = pending
//	                      :  residual = pending, delta = 0
type Threshold struct {
	first, residual, delta []float64
	scale, least           *term
}

// newThreshold is nil where the Apply of p has another form.
func newThreshold(p *Code, s evaluation.Scope) (*Threshold, error) {
	for _, held := range []int{1, 2} {
		if condition := holds(p, held); condition != nil {
			return thresholdOn(p, s, condition, held)
		}
	}
	return nil, nil
}

// thresholdOn takes the condition apart under which what column held has is passed on.
func thresholdOn(p *Code, s evaluation.Scope, condition *exprpb.CheckedExpr, held int) (*Threshold, error) {
	sum, least := condition.GetExpr().GetCallExpr().GetArgs()[0], condition.GetExpr().GetCallExpr().GetArgs()[1]
	if condition.GetExpr().GetCallExpr().GetFunction() == "_<_" {
		sum, least = least, sum
	}
	rest, scale := p.takeOff(condition, sum, "_*_")
	if !isPending(p, shape.Part(condition, rest), held) || !uniform(scale) || !p.invariant(condition, least) ||
		!uniform(shape.Part(condition, least)) {
		return nil, nil
	}
	t := &Threshold{first: p.State[0].Floats, residual: p.State[held].Floats, delta: p.State[3-held].Floats}
	var err error
	if t.scale, err = p.newTerm(s, scale, 1); err != nil {
		return nil, err
	}
	t.least, err = p.newTerm(s, shape.Part(condition, least), 0)
	return t, err
}

// holds is the comparison that all three columns go by, if column held keeps what is not yet
// worth to be passed on; or nil.
func holds(p *Code, held int) *exprpb.CheckedExpr {
	if p.Spec.Reduce != algorithms.Sum || p.AccType != algorithms.Float || p.Spec.Activity != algorithms.Changed ||
		len(p.Spec.State) != 3 {
		return nil
	}
	var choices [3]choice
	for i, s := range p.Spec.State {
		var ok bool
		if choices[i], ok = choiceOf(s); !ok || !shape.Same(choices[i].condition, choices[0].condition) {
			return nil
		}
	}
	first, kept, sent := choices[0], choices[held], choices[3-held]
	args := first.then.GetExpr().GetCallExpr().GetArgs()
	self := func(e *exprpb.CheckedExpr) bool { return vector.Name(e, e.GetExpr()) == "self."+p.Spec.State[0].Name }
	switch {
	case !shape.IsZero(kept.then) || !shape.IsZero(sent.otherwise) || !self(first.otherwise) ||
		first.then.GetExpr().GetCallExpr().GetFunction() != "_+_":
	case !isPending(p, kept.otherwise, held) || !isPending(p, sent.then, held):
	case self(shape.Part(first.then, args[0])) && isPending(p, shape.Part(first.then, args[1]), held),
		self(shape.Part(first.then, args[1])) && isPending(p, shape.Part(first.then, args[0]), held):
		return first.condition
	}
	return nil
}

// choice is an Apply condition ? then : otherwise, of doubles.
type choice struct{ condition, then, otherwise *exprpb.CheckedExpr }

// choiceOf tells whether the Apply of s is one by a comparison.
func choiceOf(s algorithms.State) (c choice, ok bool) {
	if s.Type != algorithms.Float || s.Apply.Source == "" {
		return c, false
	}
	e := shape.Normal(s.Apply.Checked)
	args := e.GetExpr().GetCallExpr().GetArgs()
	if e.GetExpr().GetCallExpr().GetFunction() != "_?_:_" {
		return c, false
	}
	compared := args[0].GetCallExpr().GetFunction()
	return choice{shape.Part(e, args[0]), shape.Part(e, args[1]), shape.Part(e, args[2])}, compared == "_>_" ||
		compared == "_<_"
}

// isPending tells whether e is what column held and acc add up to.
func isPending(p *Code, e *exprpb.CheckedExpr, held int) bool {
	call := e.GetExpr().GetCallExpr()
	if call.GetFunction() != "_+_" {
		return false
	}
	a, b := vector.Name(e, call.GetArgs()[0]), vector.Name(e, call.GetArgs()[1])
	self := "self." + p.Spec.State[held].Name
	return a == self && b == "acc" || a == "acc" && b == self
}

// Update applies what has arrived to the vertices of a word, from `from` on. It returns those
// whose first column changes, and by how much.
func (t *Threshold) Update(norm algorithms.Norm, acc []float64, from int, word uint64) (changed uint64, by float64) {
	scale, least := t.scale.values[0], t.least.values[0]
	for ; word != 0; word &= word - 1 {
		bit := bits.TrailingZeros64(word)
		v := from + bit
		pending, before := t.residual[v]+acc[v], t.first[v]
		acc[v] = 0
		if !(pending*scale > least) {
			t.residual[v], t.delta[v] = pending, 0
			continue
		}
		after := before + pending
		t.first[v], t.residual[v], t.delta[v] = after, 0, pending
		if math.Float64bits(before) != math.Float64bits(after) {
			changed |= 1 << bit
		}
		by = activity.Change{By: by}.And(activity.Change{By: activity.Moved(norm, before, after)}, norm).By
	}
	return changed, by
}

// CatchUp adds what has arrived at some vertices of a word, which are about to send, to what
// they send: as if that had come before. Else they would have to send once more.
func (t *Threshold) CatchUp(acc []float64, word int, some uint64) {
	for ; some != 0; some &= some - 1 {
		v := 64*word + bits.TrailingZeros64(some)
		t.first[v] += acc[v]
		t.delta[v] += acc[v]
		acc[v] = 0
	}
}
